import { it } from "vitest"

// Those need a Chromium, and no change should have to wait for one.
it.skipIf(true)("runs the browser tests only in npm run test:browser", () => {})
