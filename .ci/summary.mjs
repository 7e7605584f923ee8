/**
 * Prints the failed tests of vitest's JSON reports, then "N passed, N failed". A file that does not load counts as one
 * failure. A report that is missing or has no test counts as one failure too.
 */
import { readFileSync } from "node:fs"
import { basename, relative } from "node:path"

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
for (const path of process.argv.slice(2)) {
  const { numPassedTests, testResults } = read(path)
  passed += numPassedTests
  if (numPassedTests === 0) failures.push(`${basename(path)}: no test passed`)
  failures.push(...testResults.flatMap(failuresOf))
}
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
process.stdout.write(`${passed} passed, ${failures.length} failed\n`)
process.exitCode = failures.length === 0 ? 0 : 1
