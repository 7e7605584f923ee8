import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { readVersion } from "@trailbook/runtime/readVersion"
import { type Environment, findUnknownVariables, readSettings } from "@trailbook/server/setting/readSettings"
import type { CommandName } from "@trailbook/server/setting/Setting"
import { UsageError } from "@trailbook/server/setting/UsageError"
import type { CommandRunner, ExitCode } from "./Command.ts"
import { parseArguments, type ParsedArguments } from "./parseArguments.ts"
import * as Print from "./Print.ts"
import { renderHelp } from "./renderHelp.ts"

/** Runs a command line and returns its exit code. Defects are thrown. */
export const main = async (argv: ReadonlyArray<string>, env: Environment): Promise<ExitCode> => {
  try {
    return await call(parseArguments(argv), env)
  } catch (error) {
    if (isUsageError(error)) {
      Print.note(`trailbook: ${error.message}`)
      Print.note(`Run trailbook ${error.command === undefined ? "" : `${error.command} `}--help for usage.`)
      return 2
    }
    if (isFailure(error)) {
      Print.note(error.message)
      if (error.fix !== undefined) Print.note(error.fix)
      return 1
    }
    throw error
  }
}

// Compare names, because the demo is not part of the bundle and has its own copy of these classes.
const isUsageError = (error: unknown): error is UsageError => error instanceof Error && error.name === "UsageError"

const isFailure = (error: unknown): error is OperatorError => error instanceof Error && error.name === "OperatorError"

const call = async (args: ParsedArguments, env: Environment): Promise<ExitCode> => {
  switch (args._tag) {
    case "Version":
      Print.line(readVersion())
      return 0
    case "Help":
      Print.text(renderHelp(args.topic))
      return 0
    case "Call":
      return start(args.command, args.flags, env)
  }
}

const start = async <C extends CommandName>(
  command: C,
  flags: ReadonlyMap<string, string>,
  env: Environment
): Promise<ExitCode> => {
  const { problems, values } = readSettings(command, flags, env)
  // `doctor` reports invalid environment variables as findings, so only invalid flags stop it.
  const examined = command === "doctor"
  const problem = problems.find(({ settingSource: where }) => !examined || where.startsWith("--"))
  if (problem !== undefined) throw new UsageError(problem.message, command)
  if (!examined) { for (const { message } of findUnknownVariables(env)) Print.note(`trailbook: ${message}`) }
  const run = await loaders[command]()
  return (await run(values, { env, problems })) ?? 0
}

/** Loads each command on demand, so that `--help` does not load the server and the database drivers. */
const loaders: { readonly [Name in CommandName]: () => Promise<CommandRunner<Name>> } = {
  demo: async () => (await import("./demo.ts")).run,
  serve: async () => (await import("./serve.ts")).run,
  worker: async () => (await import("./worker.ts")).run,
  mcp: async () => (await import("./mcp.ts")).run,
  migrate: async () => (await import("./migrate.ts")).run,
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./backup.ts")).restore,
  "org create": async () => (await import("./org.ts")).create,
  "org list": async () => (await import("./org.ts")).list,
  "org update": async () => (await import("./org.ts")).update,
  "staff add": async () => (await import("./staff.ts")).add,
  "staff list": async () => (await import("./staff.ts")).list,
  "staff remove": async () => (await import("./staff.ts")).remove,
  "keys create": async () => (await import("./keys.ts")).create,
  "keys list": async () => (await import("./keys.ts")).list,
  "keys revoke": async () => (await import("./keys.ts")).revoke,
  "webhooks list": async () => (await import("./webhooks.ts")).list,
  "webhooks tail": async () => (await import("./webhooks.ts")).tail,
  "webhooks test": async () => (await import("./webhooks.ts")).test,
  "webhooks replay": async () => (await import("./webhooks.ts")).replay,
  "payments connect": async () => (await import("./payments.ts")).connect,
  "payments disconnect": async () => (await import("./payments.ts")).disconnect,
  "payments status": async () => (await import("./payments.ts")).status,
  "payments reconcile": async () => (await import("./payments.ts")).reconcile,
  "tasks list": async () => (await import("./tasks.ts")).list,
  "tasks retry": async () => (await import("./tasks.ts")).retry,
  "agent preview": async () => (await import("./agentPreview.ts")).run,
  "secrets generate": async () => {
    const { generate } = await import("@trailbook/webhook/KeyRing")
    return async ({ keyRingId }) => Print.line(generate(keyRingId))
  },
  doctor: async () => (await import("./doctor.ts")).run,
  help: async () => (await import("./renderHelp.ts")).run
}
