/**
 * The test files. All packages are one project, so each test process loads the sources once instead of once per
 * package.
 */
import { readdirSync } from "node:fs"
import type { TestProjectConfiguration } from "vitest/config"
import { isLong } from "./test/runs.ts"

const folders = [...readdirSync("packages").map((name) => `packages/${name}/test`), "test", "examples"]

// The first condition runs tests from source, without a build. The others are Vite's defaults. In the root
// configuration, these conditions would also apply to plain Node in the processes and threads that a test starts.
const conditions = ["@trailbook/source", "module", "node", "development|production"]

const projects: Array<TestProjectConfiguration> = [
  {
    extends: true,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name: "trailbook",
      include: folders.map((folder) => `${folder}/**/*.test.ts`),
      exclude: ["**/node_modules/**", "**/dist/**", ...(isLong ? [] : ["**/*.long.test.ts"])]
    }
  }
]

export default projects
