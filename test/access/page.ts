/** Writes `docs/reference/access.md`: the operations and pages that each kind of actor can use. */
import { operations, webPageOperations } from "@trailbook/core/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import { roleScopes, type StaffRole } from "@trailbook/core/staff"
import type { AnyRoute } from "@trailbook/http/Route"
import { actorOf, everyScope, type Kind, kinds, mayDo } from "../actors/kinds.ts"
import { code, page, table, writtenNotice } from "../docs/reference/markdown.ts"
import { askers, openTo, type Row, rowsOf } from "./pages.ts"

const titles: { readonly [K in Exclude<Kind, "Staff">]: string } = {
  Key: "an API key",
  Host: "a host application",
  Application: "a token",
  Guest: "a guest",
  Visitor: "a visitor",
  Agent: "the ops agent"
}

type Column = readonly [title: string, kind: Kind, role?: StaffRole]

/** Staff members have the scopes of their role. Actors of other kinds have every scope that their kind allows. */
const columns = kinds.flatMap((kind): ReadonlyArray<Column> =>
  kind === "Staff"
    ? [["staff", kind, "staff"], ["an owner", kind, "owner"]]
    : [[titles[kind], kind]]
)

type DeclaredOperation = Pick<Operation.Any, "name" | "scope">

/** Renders one row per scope, because the scope alone decides which actors can run an operation. */
const formatOperationTable = (operations: ReadonlyArray<DeclaredOperation>): ReadonlyArray<string> =>
  table(
    ["scope", ...columns.map(([title]) => title), "operations"],
    [...new Set(operations.map(({ scope }) => scope))].map((scope) => [
      code(scope),
      ...columns.map(([, kind, role]) => {
        const scopes = role === undefined ? new Set(everyScope) : roleScopes[role]
        return mayDo(actorOf(kind, { orgId: "", scopes }), scope) ? "yes" : ""
      }),
      operations.filter((operation) => operation.scope === scope).map(({ name }) => code(name)).join(", ")
    ])
  )

/** Formats routes as addresses such as `GET, POST /dashboard/team/invite`, listing each path once. */
const formatAddresses = (routes: ReadonlyArray<string>): string => {
  const methods = new Map<string, ReadonlyArray<string>>()
  for (const route of routes) {
    const [method = "", path = ""] = route.split(" ")
    methods.set(path, [...methods.get(path) ?? [], method])
  }
  return Array.from(methods, ([path, methods]) => code(`${methods.join(", ")} ${path}`)).join(", ")
}

/** Pages with the same scope and the same cells form a group. */
const groupRoutes = (routes: ReadonlyArray<AnyRoute>) => {
  const groups = new Map<string, { readonly first: Row; readonly routes: Array<string> }>()
  for (const row of rowsOf(routes)) {
    const key = row.cells["another org's owner"] === "nothing" && row.scope !== "guest"
      ? `${code(row.scope)}, by ID`
      : code(row.scope)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { first: row, routes: [row.route] })
    else group.routes.push(row.route)
  }
  return Array.from(groups, ([name, group]) => ({ name, ...group }))
}

export const accessPage = (routes: ReadonlyArray<AnyRoute>): string => {
  const groups = groupRoutes(routes)
  const openRoutes = openTo(routes)
  const listAddresses = (isOne: (route: (typeof openRoutes)[number]) => boolean): string =>
    formatAddresses(openRoutes.filter(isOne).map(({ method, path }) => `${method} ${path}`))
  return page(
    "# Access",
    "",
    writtenNotice,
    "",
    "The tables list which actor can run which operation and open which page. API keys and tokens are shown with all scopes that they can have. A guest",
    "has the link to a booking, and a visitor has the link to a booking page. Every actor belongs to one org and cannot find data of other orgs.",
    "",
    "## Operations",
    "",
    "Available over REST, to assistants, and in the pages. `test/actors.test.ts` tests each operation with each scope.",
    "",
    formatOperationTable(operations),
    "",
    "If the org sets `staff_may_refund`, staff also have the scope `refund`: `payments.refund`, `payments.void`, `bookings.cancel` with",
    "`refund: none`, and the pages of the group `refund`. For all others, these operations require `admin`.",
    "",
    "## Operations only in pages",
    "",
    "These operations have no REST route and no tool.",
    "",
    formatOperationTable(webPageOperations),
    "",
    "## Pages",
    "",
    "All pages of a group give the same results, and `test/access.test.ts` tests each page with each actor. A group *by ID* has paths with the ID of a",
    "record of one org.",
    "",
    "- **yes**: The request succeeds.",
    "- **own**: The request succeeds with the data of the caller's own org.",
    "- **sign in**: The request is redirected to sign-in or rejected with 401.",
    "- **no**: 403.",
    "- **nothing**: 404, or 410 if it has expired.",
    "",
    "Only yes and own change data. API keys and tokens open no page that requires sign-in. A form that another website submits through the browser of an",
    "authorized user is always rejected with 403.",
    "",
    table(
      ["group", ...askers],
      groups.map(({ first, name }) => [name, ...askers.map((asker) => first.cells[asker])])
    ),
    "",
    table(["group", "pages"], groups.map(({ name, routes }) => [name, formatAddresses(routes)])),
    "",
    "## Open without sign-in",
    "",
    "These addresses need no sign-in, or authenticate the request with a link, a passkey, a code, or a token. A request without one of these credentials changes nothing.",
    "",
    table(["kind", "addresses"], [
      ["read", listAddresses(({ method }) => method === "GET")],
      [
        "write, rejected from other websites",
        listAddresses(({ method, refuse }) => method !== "GET" && refuse !== undefined)
      ],
      [
        "write, accepted from other websites",
        listAddresses(({ method, refuse }) => method !== "GET" && refuse === undefined)
      ]
    ])
  )
}
