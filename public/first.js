// What the page does before the app is there, and without it.
// Before the first paint: the visitor's own choice of theme, if there is one. The app writes the same key.
try { const theme = localStorage.getItem("turnwise.theme"); if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme; } catch { /* storage is closed: the system decides */ }
// A sentence where the app does not come (#not-loaded in index.html). The app takes it away with all else that stood before it.
(() => {
  const LATE = 8000; // milliseconds
  const tell = (why, detail) => {
    const note = document.getElementById("not-loaded");
    if (note === null || (!note.hidden && why === "late")) return;
    for (const one of note.querySelectorAll("[data-why]")) one.hidden = one.dataset.why !== why;
    note.querySelector("code").textContent = detail ?? "";
    note.className = why === "late" ? "note note-warn" : "note note-bad";
    note.setAttribute("role", "alert");
    note.hidden = false;
    if (why !== "late") document.querySelector(".boot")?.remove();
  };
  const ready = new Promise((go) => addEventListener("DOMContentLoaded", go, { once: true }));
  const has = typeof WebAssembly === "object" && typeof WebAssembly.compileStreaming === "function";
  const failed = (error) => ready.then(() => tell(has ? "file" : "wasm", has && error !== undefined ? String(error) : ""));
  globalThis.turnwiseFailed = failed;
  if (!has) failed();
  addEventListener("error", ({ target }) => { if (target instanceof HTMLScriptElement) failed(new URL(target.src).pathname); }, true);
  ready.then(() => {
    const wait = () => setTimeout(tell, LATE, "late");
    // Such a page is read as the server wrote it, and a phone fetches no app before it is touched.
    const rests = matchMedia("(max-width: 640px)").matches && document.querySelector('meta[name="turnwise"][content="stays"]') !== null;
    if (rests) for (const name of ["pointerdown", "keydown"]) addEventListener(name, wait, { once: true, passive: true });
    else wait();
  });
})();
