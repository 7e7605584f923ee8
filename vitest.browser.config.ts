import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

const conditions = ["@trailbook/source", "module", "node", "development|production"]

/** What needs a browser: `npm run test:browser`, one file after the other. */
export default defineConfig({
  esbuild: base.esbuild ?? {},
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/browser/**/*.browser.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    watch: false,
    fileParallelism: false,
    reporters: base.test?.reporters ?? ["default"]
  }
})
