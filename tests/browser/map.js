// What is wrong with the text on the map.

() => {
  const wrong = [];
  // Names of cities keep within their plates, codes and costs within their spaces.
  for (const city of document.querySelectorAll(".map [data-city]")) {
    const name = city.querySelector(".name"), plate = city.querySelector(".plate");
    if (!name || !plate) continue;
    const [text, box] = [name.getBBox(), plate.getBBox()];
    if (text.width > box.width + 1) wrong.push(`${name.textContent} is wider than its plate`);
  }
  for (const space of document.querySelectorAll(".map [data-tile]")) {
    const plot = space.querySelector(".plot").getBBox();
    for (const text of space.querySelectorAll("text"))
      if (text.checkVisibility() && text.getBBox().width > plot.width + 1)
        wrong.push(`${text.textContent} is wider than the space ${space.dataset.tile}`);
  }
  return wrong;
}
