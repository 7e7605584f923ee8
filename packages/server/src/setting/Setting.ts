/** Defines a setting, which is a flag, a positional argument, or an environment variable. */
import { type SettingType, toggle } from "@trailbook/runtime/setting/SettingType"

/** The command names, as typed on the command line. */
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
  "org update",
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

export type CommandName = (typeof commandNames)[number]

export interface Setting<out A, out C extends CommandName = CommandName> {
  /** The flag without dashes, or the placeholder of a positional argument. */
  readonly flag: string
  readonly positional: boolean
  /** The setting's environment variables. The first variable that is set applies. */
  readonly env: ReadonlyArray<string>
  readonly kind: SettingType<A>
  /** The default. `undefined` if the setting is required. */
  readonly otherwise: { readonly value: A; readonly shown: string } | undefined
  readonly help: string
  readonly commands: ReadonlyArray<C>
}

/** The names of a setting. A setting that has a variable and no `flag` derives its flag from the variable's name. */
type SettingNames =
  | { readonly flag: string; readonly env?: ReadonlyArray<string> }
  | { readonly env: readonly [Variable, ...ReadonlyArray<string>] }
  | { readonly positional: string }

type Variable = `TRAILBOOK_${string}`

type DescribedSetting = SettingNames & { readonly help: string }

/** Returns a setting's flag. `TRAILBOOK_MAIL_FROM` becomes `mail-from`. */
const deriveFlag = (description: DescribedSetting): string =>
  "positional" in description
    ? description.positional
    : "flag" in description
    ? description.flag
    : description.env[0].slice("TRAILBOOK_".length).toLowerCase().replaceAll("_", "-")

/** Returns the constructors for these commands' settings. */
export const makeSetting = <const C extends CommandName>(...commands: ReadonlyArray<C>) => {
  const make = <A>(
    kind: SettingType<A>,
    otherwise: Setting<A>["otherwise"],
    description: DescribedSetting
  ): Setting<A, C> => ({
    flag: deriveFlag(description),
    positional: "positional" in description,
    env: "env" in description ? description.env ?? [] : [],
    kind,
    otherwise,
    help: description.help,
    commands
  })
  return {
    required: <A>(kind: SettingType<A>, description: DescribedSetting) => make(kind, undefined, description),
    withDefault: <A>(kind: SettingType<A>, value: NoInfer<A>, description: DescribedSetting) =>
      make(kind, { value, shown: String(value) }, description),
    /** `defaultText` describes the default in help and in the reference. */
    optional: <A>(kind: SettingType<A>, defaultText: string, description: DescribedSetting) =>
      make<A | undefined>(kind, { value: undefined, shown: defaultText }, description),
    toggled: (description: DescribedSetting) => make(toggle, { value: false, shown: "off" }, description)
  }
}
