import { maxNext } from "@trailbook/core/staff"

/**
 * Parses the path to open after sign-in. Returns null if the path is not a page on this site, because anyone can craft
 * a sign-in URL.
 */
export const parseNext = (text: string | null | undefined): `/${string}` | null =>
  typeof text === "string" && text.length <= maxNext &&
    /^\/(?:dashboard(?:[/?]|$)|authorize\?)[\x21-\x7e]*$/.test(text) &&
    !text.includes("\\") && !text.includes("//", 1)
    ? text as `/${string}`
    : null

/** Adds the `next` parameter to a URL. */
export const withNext = (address: string, next: string | null): string =>
  next === null ? address : `${address}?${new URLSearchParams({ next }).toString()}`
