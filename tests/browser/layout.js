// What is wrong with the text that is shown: one line for each fault.

() => {
  const wrong = [];
  const told = (element) => {
    const text = (element.textContent || element.value || "").trim().replace(/\s+/g, " ");
    const kind = element.tagName.toLowerCase() + (element.className?.baseVal ?? element.className
      ? "." + String(element.className?.baseVal ?? element.className).split(" ")[0] : "");
    return `${kind} “${text.slice(0, 40)}”`;
  };
  const top = document.querySelector("dialog[open]") ?? document.body;
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const unseen = (element) => element.closest(".unseen, .skip, [aria-hidden=true]:not(.symbol)");
  const wide = document.documentElement.clientWidth;

  // Nothing is wider than the screen.
  if (document.documentElement.scrollWidth > wide)
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${wide}`);

  const hasText = (element) => [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  // The box that cuts off what does not fit into it, if it can't be scrolled there.
  const clip = (element, axis) => {
    for (let part = element.parentElement; part && part !== document.documentElement; part = part.parentElement) {
      const flow = getComputedStyle(part)[axis === "x" ? "overflowX" : "overflowY"];
      if (flow === "auto" || flow === "scroll") return null;
      if (flow === "hidden" || flow === "clip") return part;
    }
    return null;
  };

  const texts = [];
  for (const element of top.querySelectorAll("*")) {
    if (element.closest("svg") || !shown(element) || unseen(element)) continue;
    const style = getComputedStyle(element);
    const control = element.matches("select, input");
    if (control && element.matches("select")) {
      // What a closed list shows must fit beside its arrow.
      const pen = (window.pen ??= document.createElement("canvas").getContext("2d"));
      pen.font = style.font;
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const text = element.selectedOptions[0]?.textContent ?? "";
      if (pen.measureText(text).width > room + 1) wrong.push(`${told(element)}: “${text}” does not fit`);
    }
    if (!hasText(element)) continue;
    if (style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + 1)
      wrong.push(`${told(element)} is cut short`);
    if (style.display !== "inline" && style.overflowX !== "auto" && style.overflowX !== "scroll"
        && element.scrollWidth > element.clientWidth + 1)
      wrong.push(`${told(element)} is ${element.scrollWidth} wide in ${element.clientWidth}`);
    if (style.display !== "inline" && ["hidden", "clip"].includes(style.overflowY)
        && element.scrollHeight > element.clientHeight + 1)
      wrong.push(`${told(element)} is ${element.scrollHeight} high in ${element.clientHeight}`);
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        if (line.width < 1) continue;
        texts.push({ element, line });
        const button = element.closest("button, .button, [role=tab]")?.getBoundingClientRect();
        if (button && (line.left < button.left - 1 || line.right > button.right + 1
            || line.top < button.top - 3 || line.bottom > button.bottom + 3))
          wrong.push(`${told(element)} does not fit into its button`);
        const cutter = clip(element, "x");
        const box = cutter?.getBoundingClientRect();
        if (box && (line.left < box.left - 1 || line.right > box.right + 1))
          wrong.push(`${told(element)} is cut off by ${told(cutter)}`);
        if (!clip(element, "x") && !scrolls(element) && (line.left < -1 || line.right > wide + 1))
          wrong.push(`${told(element)} is beyond the edge`);
      }
    }
  }
  function scrolls(element) {
    for (let part = element; part; part = part.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(part).overflowX)) return true;
    return false;
  }

  // No two lines of different elements lie on each other: only those that can be seen count.
  const layer = (element) => {
    for (let part = element; part; part = part.parentElement)
      if (["fixed", "sticky", "absolute"].includes(getComputedStyle(part).position)
          || ["auto", "scroll"].includes(getComputedStyle(part).overflowY)) return part;
    return null;
  };
  const layers = new Map();
  for (const text of texts) {
    const key = layer(text.element);
    if (!layers.has(key)) layers.set(key, []);
    layers.get(key).push(text);
  }
  for (const lines of layers.values()) {
    lines.sort((one, other) => one.line.top - other.line.top);
    lines.forEach((one, at) => {
      for (const other of lines.slice(at + 1)) {
        if (other.line.top > one.line.bottom) break;
        if (one.element === other.element) continue;
        const across = Math.min(one.line.right, other.line.right) - Math.max(one.line.left, other.line.left);
        const down = Math.min(one.line.bottom, other.line.bottom) - Math.max(one.line.top, other.line.top);
        // Lines of text stand closer than their boxes: what counts is the middle of the letters.
        const least = Math.min(one.line.height, other.line.height);
        if (across > 2 && down > least * 0.35) wrong.push(`${told(one.element)} lies on ${told(other.element)}`);
      }
    });
  }
  // Nor two controls.
  const controls = [...top.querySelectorAll("button, select, input, a, summary, [role=tab]")]
    .filter((element) => shown(element) && !unseen(element) && !element.closest("svg"));
  const boxes = controls.map((element) => ({ element, box: element.getBoundingClientRect(), in: layer(element.parentElement) }));
  boxes.forEach((one, at) => {
    for (const other of boxes.slice(at + 1)) {
      if (one.in !== other.in || one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > 1 && down > 1) wrong.push(`${told(one.element)} and ${told(other.element)} overlap`);
    }
  });
  return [...new Set(wrong)];
}
