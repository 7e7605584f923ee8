/** Route handlers for Next.js. */
import type { Trailbook } from "./embed/Trailbook.ts"

export type RouteHandler = (request: Request) => Promise<Response>

/**
 * Creates the exports for a catch-all route such as `app/booking/[...path]/route.ts`.
 *
 * @example
 * export const { DELETE, GET, PATCH, POST, PUT } = toNextHandlers(trailbook)
 */
export const toNextHandlers = (
  { handler }: Pick<Trailbook, "handler">
): Readonly<Record<"DELETE" | "GET" | "PATCH" | "POST" | "PUT", RouteHandler>> => {
  // Drop the second argument that Next.js passes, because it is not a `Connection`.
  const route: RouteHandler = (request) => handler(request)
  return { DELETE: route, GET: route, PATCH: route, POST: route, PUT: route }
}
