import { it } from "vitest"

// Browser tests need Chromium, so `npm test` must not depend on them.
it.skipIf(true)("runs the browser tests only in npm run test:browser", () => {})
