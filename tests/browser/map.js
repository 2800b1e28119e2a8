// What is wrong with the maps that are shown: one line for each fault. Sizes are those on the screen.

async () => {
  // It is fitted to its place when the browser has laid out the page.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const LEAST_TEXT = 11, TARGET = 44, MARK = 14, MARK_ON_A_WHOLE_PHONE = 12;
  const wrong = [];
  for (const map of document.querySelectorAll(".map")) {
    const frame = map.getBoundingClientRect();
    if (!frame.width) continue;
    const shown = (part) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && part.getBoundingClientRect().width > 0;
    const seen = (selector) => [...map.querySelectorAll(selector)].filter(shown).filter((part) => {
      const box = part.getBoundingClientRect(); // what is zoomed out of sight does not count
      return box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom;
    });
    const whole = !map.classList.contains("zoomed");
    const say = (text, part) => wrong.push(`${part.closest("[data-tile], [data-city]")?.outerHTML.match(/data-(?:tile|city)="(\w+)"/)?.[1] ?? part.getAttribute("class")}: ${text}`);

    for (const text of seen("text")) {
      if (!text.textContent) continue;
      const { a, b } = text.getScreenCTM();
      const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
      if (size < LEAST_TEXT - 0.05) say(`“${text.textContent}” is ${size.toFixed(1)} px high`, text);
    }
    const least = whole && frame.width < 385 ? MARK_ON_A_WHOLE_PHONE : MARK;
    for (const mark of seen(".deed.owned .segment")) {
      const { width, height } = mark.getBoundingClientRect();
      if (Math.min(width, height) < least - 0.05) say(`the owner’s mark is ${width.toFixed(1)}×${height.toFixed(1)}`, mark);
    }
    if (map.getAttribute("role") === "group")
      for (const hit of seen(".city .hit, .space.legal .hit")) {
        const { width, height } = hit.getBoundingClientRect();
        if (Math.min(width, height) < TARGET - 0.5) say(`the target is ${width.toFixed(1)}×${height.toFixed(1)}`, hit);
      }

    // Text keeps within what it stands on.
    for (const [on, texts] of [[".chip-back", ".code, .cost"], [".plate", ".name"], [".tag rect", ".tag text"], [".bubble rect", "text"], [".hub", ".pays"]])
      for (const back of seen(on)) {
        const box = back.getBoundingClientRect();
        for (const text of back.parentElement.querySelectorAll(texts)) {
          if (!shown(text)) continue;
          const { left, right, top, bottom } = text.getBoundingClientRect();
          // A line is higher than its letters.
          if (left < box.left - 0.5 || right > box.right + 0.5 || top < box.top - 5 || bottom > box.bottom + 5) say(`“${text.textContent}” leaves its ${on}`, text);
        }
      }

    // What stands on the map, such as its buttons, covers nothing on it.
    const inside = [...(map.closest(".map-box")?.children ?? [])].filter((part) => part !== map && !part.matches(".map-card, .spike-banner"));
    for (const part of inside.flatMap((each) => (each.matches(".zoom, .caption") ? [...each.children] : [each])).filter(shown)) {
      const over = part.getBoundingClientRect();
      for (const thing of whole ? seen(".chip-back, .plate, .tag rect, .ring, .bubble rect") : []) {
        const box = thing.getBoundingClientRect();
        const across = Math.min(over.right, box.right) - Math.max(over.left, box.left);
        const down = Math.min(over.bottom, box.bottom) - Math.max(over.top, box.top);
        if (across > 1.5 && down > 1.5) say(`${part.getAttribute("class") || part.dataset.key} covers its ${thing.getAttribute("class") ?? "tag"}`, thing);
      }
    }

    // Nothing lies on another thing, and nothing is cut off while the whole map is shown.
    const things = seen(".chip-back, .plate, .tag rect, .ring").map((part) => ({ part, box: part.getBoundingClientRect(), round: part.matches(".ring") }));
    if (whole) for (const bubble of seen(".bubble rect")) {
      const box = bubble.getBoundingClientRect();
      if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5) say("the payout is cut off", bubble);
    }
    const middle = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });
    things.forEach((one, at) => {
      if (whole && (one.box.left < frame.left - 0.5 || one.box.right > frame.right + 0.5 || one.box.top < frame.top - 0.5 || one.box.bottom > frame.bottom + 0.5)) say(`${one.part.getAttribute("class") ?? "tag"} is cut off`, one.part);
      for (const other of things.slice(at + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across < 1.5 || down < 1.5) continue;
        const round = one.round ? one : other.round ? other : null;
        if (round) {
          const flat = round === one ? other : one;
          const { x, y } = middle(round.box);
          const far = flat.round
            ? Math.hypot(middle(flat.box).x - x, middle(flat.box).y - y) - flat.box.width / 2
            : Math.hypot(Math.max(flat.box.left - x, 0, x - flat.box.right), Math.max(flat.box.top - y, 0, y - flat.box.bottom));
          if (far > round.box.width / 2 - 1.5) continue;
        }
        say(`${one.part.getAttribute("class") ?? "tag"} lies on ${other.part.getAttribute("class") ?? "tag"} of ${other.part.closest("[data-tile], [data-city]")?.outerHTML.match(/data-(?:tile|city)="(\w+)"/)?.[1]}`, one.part);
      }
    });
  }
  return wrong;
}
