/** The expected access to each page, computed from its route declaration. */
import type { Scope } from "@trailbook/core/actor"
import { roleScopes } from "@trailbook/core/staff"
import type { AnyRoute } from "@trailbook/http/Route"

/** Kinds of actors, by credential. All except `no link` know the booking page's address. */
export const askers = [
  "no link",
  "a visitor",
  "a guest",
  "an API key",
  "a token",
  "staff",
  "an owner",
  "another org's owner"
] as const

export type Asker = (typeof askers)[number]

/**
 * `yes`: the page responds. `own`: it responds with data from the caller's own org. `sign in`: a redirect to the
 * sign-in page, or 401. `no`: 403. `nothing`: 404 or 410.
 */
export type Cell = "yes" | "own" | "sign in" | "no" | "nothing"

export interface Row {
  /** For example, `GET /dashboard/team`. */
  readonly route: string
  readonly scope: Scope
  readonly cells: { readonly [A in Asker]: Cell }
  /** Whether the route accepts a cross-site form with an owner's or a guest's cookies. Undefined for GET routes. */
  readonly foreign: "no" | "yes" | undefined
}

/** Routes whose path parameter is a fixed name that every org has, not the ID of a resource. */
const words = new Set(["/dashboard/automations/:automation"])

const ofStaff = ({ path }: AnyRoute, scope: Scope): Row["cells"] => ({
  "no link": "sign in",
  "a visitor": "sign in",
  "a guest": "sign in",
  "an API key": "sign in",
  "a token": "sign in",
  staff: roleScopes.staff.has(scope) ? "yes" : "no",
  "an owner": roleScopes.owner.has(scope) ? "yes" : "no",
  "another org's owner": path.includes("/:") && !words.has(path) ? "nothing" : "own"
})

const all = (cell: Cell): Row["cells"] => ({
  "no link": cell,
  "a visitor": cell,
  "a guest": cell,
  "an API key": cell,
  "a token": cell,
  staff: cell,
  "an owner": cell,
  "another org's owner": cell
})

const cellsOf = (route: AnyRoute, scope: Scope): Row["cells"] => {
  // Anyone with a booking page's address is a visitor. Only the guest knows a booking's address.
  if (scope === "visit") return { ...all("yes"), "no link": "nothing" }
  if (scope === "guest") return { ...all("nothing"), "a guest": "yes" }
  return ofStaff(route, scope)
}

/** Returns a row for each route that identifies its caller. */
export const rowsOf = (routes: ReadonlyArray<AnyRoute>): ReadonlyArray<Row> =>
  routes.flatMap((route, at): ReadonlyArray<Row> => {
    const { caller, method, path, refuse } = route
    // The QR code page is both a guest page and a staff page, and the first route handles the request.
    const isFirst = routes.findIndex((other) => other.method === method && other.path === path) === at
    if (caller === "anyone" || !isFirst) return []
    const foreign = method === "GET" ? undefined : refuse === undefined ? "yes" : "no"
    return [{ route: `${method} ${path}`, scope: caller.scope, cells: cellsOf(route, caller.scope), foreign }]
  })

/** Returns the routes that do not identify their caller, or that identify it in their own code. */
export const openTo = (routes: ReadonlyArray<AnyRoute>) =>
  routes.filter(({ caller }) => caller === "anyone").filter(({ method, path }, at, open) =>
    open.findIndex((other) => other.method === method && other.path === path) === at
  )
