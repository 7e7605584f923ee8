import { it } from "vitest"

// Those need a Chromium, and no change should have to wait for one.
it.skipIf(true)("what is shown in a browser waits in npm run test:browser", () => {})
