/** Trailbook's handler as the route handlers of Next.js. */
import type { Trailbook } from "./embed/Trailbook.ts"

export type RouteHandler = (request: Request) => Promise<Response>

/**
 * What a catch-all route exports, such as `app/booking/[...path]/route.ts`.
 *
 * @example
 * export const { DELETE, GET, PATCH, POST, PUT } = toNextHandlers(trailbook)
 */
export const toNextHandlers = (
  { handler }: Pick<Trailbook, "handler">
): Readonly<Record<"DELETE" | "GET" | "PATCH" | "POST" | "PUT", RouteHandler>> => {
  // Next passes more than the request, which is not what the handler's second parameter is for.
  const route: RouteHandler = (request) => handler(request)
  return { DELETE: route, GET: route, PATCH: route, POST: route, PUT: route }
}
