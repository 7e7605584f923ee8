/**
 * Plays a task. The scripted driver follows the task's path, so its result is an upper bound for models. A driver for a
 * model is a module whose default export has this type. It passes the prompt, the tools, and the visible results to the
 * model, calls the tools that the model chooses, and returns the model's answer. Run
 * `npm run bench:assistant -- ./driver.ts` to play all tasks.
 */
import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import type { Play } from "./Play.ts"
import { inventions, resolve } from "./Play.ts"
import type { View } from "./Task.ts"

export type Driver = (
  play: Play,
  given: { readonly view: View; readonly tools: ListToolsResult["tools"]; readonly now: string }
) => Promise<{
  /** The answer to the person. The scripted driver answers with all results. */
  readonly answer: string
  /** Arguments that the assistant could not have known. A driver for a model returns an empty list. */
  readonly invented: ReadonlyArray<string>
}>

export const zone = Zone.get("America/Denver")

export const scriptedDriver: Driver = async (play, { now, tools, view }) => {
  const today = zone.dateAt(Instant.parse(now) ?? Instant.min)
  const invented: Array<string> = []
  for (const { input = {}, tool } of play.task.path) {
    const args = Object.fromEntries(
      Object.entries(input).map(([name, value]) => [name, resolve(value, play.responses, view)])
    )
    const schema = tools.find(({ name }) => name === tool)?.inputSchema ?? {}
    invented.push(...inventions(play, args, schema, today))
    await play.call(tool, args)
  }
  return { answer: play.responses.join("\n"), invented }
}
