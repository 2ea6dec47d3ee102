const isPhone = typeof matchMedia === "function" && matchMedia(PHONE).matches;
const drawn = () =>
  new Promise((go) => {
    requestAnimationFrame(() => setTimeout(go));
    setTimeout(go, 1000);
  });
const touched = () =>
  new Promise((go) => {
    const touch = () => {
      globalThis.turnwiseTouched = true;
      go();
    };
    for (const name of TOUCHES) addEventListener(name, touch, { once: true, passive: true, capture: true });
  });
const stays = isPhone && document.querySelector('meta[name="turnwise"][content="stays"]') !== null;
const rested = () =>
  new Promise((go) => {
    const rest = () => setTimeout(go, 2000);
    if (document.readyState === "complete") rest();
    else addEventListener("load", rest, { once: true });
  });
const fetchAhead = (file) => {
  if (globalThis.turnwiseTouched) return;
  const link = document.createElement("link");
  Object.assign(link, { rel: "prefetch", href: `/${file}`, crossOrigin: "anonymous" });
  document.head.append(link);
};
const isTold = typeof document === "object" && document.querySelector(".told-rows, .told-play") !== null;
const first = stays ? touched() : (isPhone || isTold) && !document.hidden ? drawn() : undefined;
const then = (what) => (first === undefined ? what() : first.then(what));
const compiled = new Map();
export const part = (file) => {
  let module = compiled.get(file);
  if (module === undefined) {
    if (stays) rested().then(() => fetchAhead(file));
    module = then(() => WebAssembly.compileStreaming(fetch(`/${file}`)));
    module.catch(() => compiled.delete(file));
    compiled.set(file, module);
  }
  return module;
};
const [, page, run, episode] = location.pathname.split("/");
part("MAIN");
const pages = PAGES;
for (const file of pages[location.pathname.slice(1)] ?? pages[page] ?? []) part(file);
const asked = {
  "": ["/api/about", "/api/runs?limit=30", "/api/boards"],
  boards: ["/api/boards"],
  run: (episode
    ? ["", `/episodes/${episode}`, `/episodes/${episode}/summary`, `/timing?episode=${episode}`]
    : ["", "/report", "/summaries"]
  ).map((what) => `/api/runs/${run}${what}`),
}[page] ?? [];
let hasToken = true;
try {
  hasToken = localStorage.getItem("turnwise.access") !== null;
} catch {}
globalThis.turnwiseAsked = new Map();
// The list of runs is everybody's only where no access token is wanted; elsewhere asking for it would count as a guess at one.
const isOpen = () =>
  globalThis.turnwiseAsked
    .get("/api/about")
    .then((about) => about.clone().json())
    .then(({ access }) => access === "open" || Promise.reject());
const ask = (path) => (path.startsWith("/api/runs?") ? isOpen().then(() => fetch(path)) : fetch(path));
for (const path of hasToken ? [] : asked) {
  const answer = then(() => ask(path));
  answer.catch(() => {});
  globalThis.turnwiseAsked.set(path, answer);
}
setTimeout(() => globalThis.turnwiseAsked.clear(), 15000);
