import { readdirSync } from "node:fs"
import type { TestProjectConfiguration } from "vitest/config"

/** `npm test` leaves out what takes minutes; `npm run test:all` runs just that. Nothing is in neither. */
const isLong = process.env.TEST_LONG !== undefined
const files = isLong ? "*.long.test.ts" : "*.test.ts"

const project = (name: string, root: string, folder: string) => ({
  extends: "./vitest.shared.ts",
  root,
  test: {
    name,
    include: [`${folder}/**/${files}`],
    exclude: ["**/node_modules/**", "**/dist/**", ...(isLong ? [] : ["**/*.long.test.ts"])]
  }
})

const projects: Array<TestProjectConfiguration> = [
  ...readdirSync("packages").map((name) => project(name, `packages/${name}`, "test")),
  project("house", ".", "test"),
  project("examples", ".", "examples/**/test")
]

export default projects
