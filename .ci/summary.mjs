/**
 * Prints the failed tests of vitest's JSON reports and the failed checks, then "N passed, N failed". A file that does not load
 * counts as one failure, and so does a report without a passed test.
 *
 *   node .ci/summary.mjs FOLDER_OF_REPORTS FAILED_CHECK...
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"

const [folder = "", ...failedChecks] = process.argv.slice(2)

const read = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return { numPassedTests: 0, testResults: [] }
  }
}

const failuresOf = ({ assertionResults, message, name, status }) => {
  const file = relative(process.cwd(), name)
  const tests = assertionResults.filter((test) => test.status === "failed").map((test) =>
    [file, ...test.ancestorTitles, test.title].filter((title) => title !== "").join(" › ")
  )
  // A failed hook fails the file although its tests pass or are skipped.
  return tests.length > 0 || status !== "failed" ? tests : [`${file}: ${message.split("\n", 1)[0]}`]
}

let passed = 0
const failures = []
for (const check of ["test", "test:browser"]) {
  const { numPassedTests, testResults } = read(join(folder, `${check}.json`))
  const failedTests = testResults.flatMap(failuresOf)
  passed += numPassedTests
  failures.push(...failedTests)
  // An error outside of tests fails the check, but no test.
  if (failedTests.length === 0 && (numPassedTests === 0 || failedChecks.includes(check))) failures.push(check)
}
failures.push(...failedChecks.filter((check) => check !== "test" && check !== "test:browser"))
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
process.stdout.write(`${passed} passed, ${failures.length} failed\n`)
process.exitCode = failures.length === 0 ? 0 : 1
