import { it } from "vitest"

// Browser tests need Chromium, so `npm test` must not depend on them.
it.skipIf(true)("skips the browser tests, which only npm run test:browser runs", () => {})
