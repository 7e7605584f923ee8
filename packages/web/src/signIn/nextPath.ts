import { maxNext } from "@trailbook/core/staff/SignInLink"

/**
 * Where to go on when somebody is signed in: a page of ours, or nothing. Whoever makes the
 * address of the sign-in page may write anything there.
 */
export const parseNext = (text: string | null | undefined): `/${string}` | null =>
  typeof text === "string" && text.length <= maxNext &&
    /^\/(?:dashboard(?:[/?]|$)|authorize\?)[\x21-\x7e]*$/.test(text) &&
    !text.includes("\\") && !text.includes("//", 1)
    ? text as `/${string}`
    : null

/** An address that leads on from there. */
export const withNext = (address: string, next: string | null): string =>
  next === null ? address : `${address}?${new URLSearchParams({ next }).toString()}`
