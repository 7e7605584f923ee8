/**
 * Determines which guest data a caller sees. The rules apply to every operation. The registry refuses operations about
 * guests and hides marked fields, and all other code calls these predicates.
 *
 * | caller                            | guest data | a guest's page      | search     |
 * |-----------------------------------|------------|---------------------|------------|
 * | application without guest access  | hidden     | hidden              | references |
 * | any other caller without `write`  | shown      | hidden              | guests     |
 * | any other caller                  | shown      | shown               | guests     |
 */
import type { Actor } from "../actor/Actor.ts"
import type { TemplateVariable } from "../conversation/saved-reply/SavedReply.ts"
import { Refusal } from "../Refusal.ts"
import { omitFields } from "../wire/View.ts"

const guestDataPrefixes: ReadonlySet<string> = new Set([
  "customers",
  "conversations",
  "messages",
  "proposals",
  "events",
  "webhooks"
])

/** Returns whether an operation requires guest access, because it returns guest data, messages, or an export. */
export const requiresGuestAccess = (name: string): boolean =>
  guestDataPrefixes.has(name.slice(0, name.indexOf("."))) || name === "org.export"

/** Returns whether the caller sees guests' names, addresses, and messages. Only an application can lack this access. */
export const canSeeGuests = (actor: Actor["Type"]): boolean => actor._tag !== "Application" || actor.personal

/**
 * Returns whether the caller gets the URL of a guest's page. Anyone with that URL can change or cancel the booking, so
 * the caller needs the `write` scope.
 */
export const canOpenGuestPages = (actor: Actor["Type"]): boolean =>
  // Guest and visitor pages are built from handles that the caller already has.
  actor._tag === "Guest" || actor._tag === "Visitor" || (actor.scopes.has("write") && canSeeGuests(actor))

/**
 * Returns the function that removes hidden data from the caller's output. Returns undefined if the caller may see
 * everything.
 */
export const findOutputRedactor = (actor: Actor["Type"]): ReturnType<typeof omitFields> | undefined =>
  canOpenGuestPages(actor) ? undefined : canSeeGuests(actor) ? withoutPages : withoutGuests

/** Returns the variables that saved replies leave unfilled for a caller. */
export const listHiddenVariables = (actor: Actor["Type"]): ReadonlyArray<TemplateVariable> => [
  ...canSeeGuests(actor) ? [] : ["first_name" as const],
  ...canOpenGuestPages(actor) ? [] : ["booking_link" as const]
]

/** Refuses a request that needs guest access. */
export const makeGuestAccessRefusal = (subject: string): Refusal<"forbidden"> =>
  new Refusal({
    code: "forbidden",
    message: `${subject} requires access to guest data. An owner can grant this access by reconnecting the application.`
  })

/** Messages and notes can contain the URL of a guest's page. */
const redactGuestPath = (text: string): string => text.includes("/b/") ? text.replace(guestPath, "/b/") : text

const guestPath = /\/b\/[A-Za-z0-9_-]{16,64}/g

const withoutPages = omitFields({ marks: new Set(["guestPage"]), text: redactGuestPath })

const withoutGuests = omitFields({ marks: new Set(["personal", "guestId", "guestPage"]), text: redactGuestPath })
