// Loading style sheets that only some screens need.

import { base, version } from "./api.js";

/** Load a style sheet, once; done when it applies. @param {string} name @returns {Promise<void>} */
export function loadStylesheet(name) {
  const href = `${base}web/${version}/css/${name}`;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
