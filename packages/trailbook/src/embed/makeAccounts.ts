import { ApiKeys } from "@trailbook/core/actor"
import { OrgStore, orgView } from "@trailbook/core/org"
import { ApiKeyManagement, apiKeyView, StaffMembers, staffMemberView } from "@trailbook/core/staff"
import { makeSignInLink } from "@trailbook/runtime/accountsLayer"
import { createOrgWithStaff } from "@trailbook/runtime/org"
import * as Effect from "effect/Effect"
import type { EffectRunner, Lifecycle } from "./Lifecycle.ts"
import { parseKeyDetails, parseMemberKey, parseOrgDetails, parseStaffDetails } from "./option/parseDetails.ts"
import { resolveOrg } from "./resolveOrg.ts"
import type { Trailbook } from "./Trailbook.ts"

/** Creates the management API for outfitters, staff members, and API keys. */
export const makeAccounts = (
  lifecycle: Lifecycle,
  /** Returns the ID of the org with the given slug or ID. Without an argument, returns the default org's ID. */
  findOrgId: (slugOrId: string | undefined, call: EffectRunner) => Promise<string>,
  /** The dashboard's base URL. */
  staffUrl: string | undefined
): Pick<Trailbook, "keys" | "orgs" | "staff"> => ({
  orgs: {
    create: (input) =>
      lifecycle.run(
        Effect.flatMap(parseOrgDetails(input), (details) =>
          Effect.map(createOrgWithStaff({ ...details, by: hostActor }), orgView))
      ),
    get: (slugOrId) => lifecycle.run(Effect.map(resolveOrg(slugOrId), orgView)),
    list: () => lifecycle.run(Effect.flatMap(OrgStore, ({ all }) => Effect.map(all, (orgs) => orgs.map(orgView))))
  },
  staff: {
    add: (input) =>
      lifecycle.runCall(async (call) => {
        const { org, ...details } = await call.run(parseStaffDetails(input))
        const id = await findOrgId(org, call)
        return call.run(
          Effect.flatMap(
            StaffMembers,
            ({ add }) => Effect.map(add({ ...details, orgId: id, by: hostActor }), staffMemberView)
          )
        )
      }),
    list: (input) =>
      lifecycle.runCall(async (call) => {
        const id = await findOrgId(input?.org, call)
        return call.run(
          Effect.flatMap(StaffMembers, ({ list }) => Effect.map(list(id), (all) => all.map(staffMemberView)))
        )
      }),
    signInLink: (input) =>
      lifecycle.runCall(async (call) => {
        if (staffUrl === undefined) throw new TypeError("publicUrl: is required for sign-in links")
        const { email, org } = await call.run(parseMemberKey(input))
        const id = await findOrgId(org, call)
        return call.run(makeSignInLink(id, email, staffUrl))
      }),
    remove: (input) =>
      lifecycle.runCall(async (call) => {
        const { email, org } = await call.run(parseMemberKey(input))
        const id = await findOrgId(org, call)
        return call.run(
          Effect.flatMap(StaffMembers, ({ remove }) =>
            Effect.map(remove({ orgId: id, email, by: hostActor }), staffMemberView))
        )
      })
  },
  keys: {
    create: (input) =>
      lifecycle.runCall(async (call) => {
        const id = await findOrgId(input.org, call)
        return call.run(Effect.gen(function*() {
          const { expires_at: expiresAt, name, scopes, test } = yield* parseKeyDetails(input)
          const { key, token } = yield* (yield* ApiKeyManagement).create({
            orgId: id,
            name,
            mode: test === true ? "test" : "live",
            ...(scopes === undefined ? {} : { scopes }),
            ...(expiresAt === undefined ? {} : { expiresAt }),
            by: hostActor
          })
          return { ...apiKeyView(key), api_key: token }
        }))
      }),
    list: (input) =>
      lifecycle.runCall(async (call) => {
        const id = await findOrgId(input?.org, call)
        return call.run(Effect.flatMap(ApiKeys, ({ list }) => Effect.map(list(id), (keys) => keys.map(apiKeyView))))
      }),
    revoke: async ({ id, org }) =>
      lifecycle.runCall(async (call) => {
        const ownerOrgId = await findOrgId(org, call)
        return call.run(
          Effect.flatMap(ApiKeyManagement, ({ revoke }) =>
            Effect.map(revoke({ orgId: ownerOrgId, id, by: hostActor }), apiKeyView))
        )
      })
  }
})

/** The audit log shows the host application as the actor. */
const hostActor = { _tag: "Host" } as const
