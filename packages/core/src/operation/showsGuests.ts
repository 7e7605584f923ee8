import type { Actor } from "../actor/Actor.ts"

/**
 * What is all about guests: who they are, what they write, and whatever hands that on. An
 * application that was not allowed to see it cannot ask for these at all; of bookings and
 * the rest it sees what is left when personal fields are emptied.
 */
const about: ReadonlySet<string> = new Set([
  "customers",
  "conversations",
  "messages",
  "proposals",
  "events",
  "webhooks"
])

/**
 * Whether an operation is for those alone who see what guests gave.
 *
 * @category predicates
 */
export const isAboutGuests = (name: string): boolean =>
  about.has(name.slice(0, name.indexOf("."))) || name === "org.export"

/**
 * Whether somebody sees what guests are called, where they are reached and what they
 * write. Of those who may read at all it is an application alone that may not.
 *
 * @category predicates
 */
export const showsGuests = (actor: Actor["Type"]): boolean => actor._tag !== "Application" || actor.personal
