import { join } from "node:path"
import { defineConfig } from "vitest/config"

// The first condition lets tests run from source, without a build; the others are vite's own.
const conditions = ["@trailbook/source", "module", "node", "development|production"]

/** What every project of `vitest.workspace.ts` has in common. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    setupFiles: join(import.meta.dirname, "test/turns.ts")
  }
})
