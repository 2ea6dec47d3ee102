import { part } from "/EARLY";
import start from "/BINDINGS";
try {
  await start({ module_or_path: part("MAIN") });
} catch (why) {
  // Of a page public/first.js says it; a worker has none.
  globalThis.turnwiseFailed?.(why);
  throw why;
}
