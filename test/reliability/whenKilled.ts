/**
 * Cleans up if this process is killed, because SIGKILL skips every `finally`. A detached shell reads from a pipe and
 * runs the script if the pipe closes before a line arrives.
 */
import { spawn } from "node:child_process"

/** Starts the shell. `args` become `$1`, `$2`, and so on. Returns a function that cancels the script. */
export const whenKilled = (script: string, ...args: ReadonlyArray<string>): () => void => {
  const watch = spawn("sh", ["-c", `read -r _ || { ${script}; }`, "sh", ...args], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  watch.unref()
  return () => void watch.stdin.end("\n")
}
