/** Runs all tasks with the given driver and prints a table: `npm run bench:assistant -- ./driver.ts`. */
import { resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { play } from "./bench.ts"
import { open } from "./Demo.ts"
import { type Driver, scriptedDriver } from "./Driver.ts"
import { guestTasks } from "./guestTasks.ts"
import { views } from "./Task.ts"
import { tasks as deskTasks } from "./tasks.ts"

const [module] = process.argv.slice(2)
const driver: Driver = module === undefined
  ? scriptedDriver
  : (await import(pathToFileURL(resolve(module)).href)).default

const tasks = [...deskTasks, ...guestTasks]
const print = (line: string) => process.stdout.write(`${line}\n`)
const demo = await open()
let solved = 0
for (const view of views) {
  for (const task of tasks) {
    const { calls, faults, tokens } = await play(demo, task, view, driver)
    if (faults.length === 0) solved++
    print(`${view} | ${task.name} | ${calls} calls | ${tokens} tokens | ${faults.join("; ") || "solved"}`)
  }
}
print(`${solved} of ${tasks.length * views.length} solved`)
await demo.close()
