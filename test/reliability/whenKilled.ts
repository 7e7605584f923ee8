/**
 * Cleaning up behind a run that is killed itself: no `finally` runs then. A shell waits at the other end of a pipe, and runs
 * the script when the pipe closes without a word.
 */
import { spawn } from "node:child_process"

/** `args` are `$1` and so on. What is returned calls it off. */
export const whenKilled = (script: string, ...args: ReadonlyArray<string>): () => void => {
  const watch = spawn("sh", ["-c", `read -r _ || { ${script}; }`, "sh", ...args], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  watch.unref()
  return () => void watch.stdin.end("\n")
}
