/**
 * What can be set, and how: by a flag, by variables of the environment, or by
 * standing in its place after the command's name.
 */
import { type SettingType, toggle } from "./SettingType.ts"

/**
 * The commands, by the words that call them.
 *
 * @category models
 */
export const commandNames = [
  "demo",
  "serve",
  "worker",
  "mcp",
  "migrate",
  "backup",
  "restore",
  "org create",
  "org list",
  "staff add",
  "staff list",
  "staff remove",
  "keys create",
  "keys list",
  "keys revoke",
  "webhooks list",
  "webhooks tail",
  "webhooks test",
  "webhooks replay",
  "payments connect",
  "payments disconnect",
  "payments status",
  "payments reconcile",
  "tasks list",
  "tasks retry",
  "agent preview",
  "secrets generate",
  "doctor",
  "help"
] as const

/**
 * @category models
 */
export type CommandName = (typeof commandNames)[number]

/**
 * @category models
 */
export interface Setting<out A, out C extends CommandName = CommandName> {
  /** Without its dashes; for a positional one the word that stands for it. */
  readonly flag: string
  readonly positional: boolean
  /** The variables, the first that is set wins. */
  readonly env: ReadonlyArray<string>
  readonly kind: SettingType<A>
  /** What holds when nothing is said; `undefined` when something must be. */
  readonly otherwise: { readonly value: A; readonly shown: string } | undefined
  readonly help: string
  readonly commands: ReadonlyArray<C>
}

/** What has a variable has the flag of the same name, if no other is said. */
type Named =
  | { readonly flag: string; readonly env?: ReadonlyArray<string> }
  | { readonly env: readonly [Variable, ...ReadonlyArray<string>] }
  | { readonly positional: string }

type Variable = `TRAILBOOK_${string}`

type Described = Named & { readonly help: string }

/** That of `TRAILBOOK_MAIL_FROM` is `mail-from`. */
const flagOf = (described: Described): string =>
  "positional" in described
    ? described.positional
    : "flag" in described
    ? described.flag
    : described.env[0].slice("TRAILBOOK_".length).toLowerCase().replaceAll("_", "-")

/**
 * What makes the settings of these commands.
 *
 * @category constructors
 */
export const makeSetting = <const C extends CommandName>(...commands: ReadonlyArray<C>) => {
  const make = <A>(kind: SettingType<A>, otherwise: Setting<A>["otherwise"], described: Described): Setting<A, C> => ({
    flag: flagOf(described),
    positional: "positional" in described,
    env: "env" in described ? described.env ?? [] : [],
    kind,
    otherwise,
    help: described.help,
    commands
  })
  return {
    /** One that has to be given. */
    required: <A>(kind: SettingType<A>, described: Described) => make(kind, undefined, described),
    /** One with a value of its own. */
    withDefault: <A>(kind: SettingType<A>, value: NoInfer<A>, described: Described) =>
      make(kind, { value, shown: String(value) }, described),
    /** One that may be absent; `shown` says what happens then. */
    optional: <A>(kind: SettingType<A>, shown: string, described: Described) =>
      make<A | undefined>(kind, { value: undefined, shown }, described),
    toggled: (described: Described) => make(toggle, { value: false, shown: "off" }, described)
  }
}
