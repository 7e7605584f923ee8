import { it } from "vitest"

// Browser tests need Chromium, so `npm test` must not depend on them.
it.skipIf(true)("the browser tests run only in npm run test:browser", () => {})
