/**
 * What can be set, and how: by a flag, by variables of the environment, or by
 * standing in its place after the command's name.
 */
import type { Kind } from "./Kind.ts"

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
  readonly kind: Kind<A>
  /** What holds when nothing is said; `undefined` when something must be. */
  readonly otherwise: { readonly value: A; readonly shown: string } | undefined
  readonly help: string
  readonly commands: ReadonlyArray<C>
}

/** What has a variable has the flag of the same name, if no other is said. */
type Named =
  | { readonly flag: string; readonly env?: ReadonlyArray<string> }
  | { readonly flag?: never; readonly env: readonly [Variable, ...ReadonlyArray<string>] }

type Variable = `TRAILBOOK_${string}`

type Described<C extends CommandName> = Named & {
  readonly positional?: true
  readonly help: string
  readonly commands: ReadonlyArray<C>
}

/** That of `TRAILBOOK_MAIL_FROM` is `mail-from`. */
const flagOf = (variable: Variable): string => variable.slice("TRAILBOOK_".length).toLowerCase().replaceAll("_", "-")

const make = <A, C extends CommandName>(
  kind: Kind<A>,
  otherwise: Setting<A>["otherwise"],
  { commands, help, positional, ...named }: Described<C>
): Setting<A, C> => ({
  flag: named.flag ?? flagOf(named.env[0]),
  positional: positional === true,
  env: named.env ?? [],
  kind,
  otherwise,
  help,
  commands
})

/**
 * A setting that has to be given.
 *
 * @category constructors
 */
export const required = <A, const C extends CommandName>(kind: Kind<A>, described: Described<C>): Setting<A, C> =>
  make(kind, undefined, described)

/**
 * A setting with a value of its own; `shown` is how the reference writes it.
 *
 * @category constructors
 */
export const withDefault = <A, const C extends CommandName>(
  kind: Kind<A>,
  value: NoInfer<A>,
  described: Described<C>,
  shown = String(value)
): Setting<A, C> => make(kind, { value, shown }, described)

/**
 * A setting that may be absent; `shown` says what happens then.
 *
 * @category constructors
 */
export const optional = <A, const C extends CommandName>(
  kind: Kind<A>,
  shown: string,
  described: Described<C>
): Setting<A | undefined, C> => make<A | undefined, C>(kind, { value: undefined, shown }, described)

/**
 * @category constructors
 */
export const toggled = <const C extends CommandName>(
  kind: Kind<boolean>,
  described: Described<C>
): Setting<boolean, C> => make(kind, { value: false, shown: "off" }, described)
