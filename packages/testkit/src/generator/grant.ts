import { scopes } from "@trailbook/core/actor"
import {
  type AuthorizationCode,
  type Grant,
  type GrantToken,
  type OAuthClient,
  tokenKinds
} from "@trailbook/core/oauth"
import * as FastCheck from "effect/FastCheck"
import { moment } from "./moment.ts"
import { text } from "./text.ts"

const some = FastCheck.subarray([...scopes], { minLength: 1 })
const client = FastCheck.constantFrom("app_1", "app_2", "https://a.co/client.json")

export const oauthClient: FastCheck.Arbitrary<OAuthClient> = FastCheck.record({
  clientId: FastCheck.uuid(),
  name: text(80),
  redirectUris: FastCheck.array(FastCheck.webUrl(), { minLength: 1, maxLength: 3 }),
  createdAt: moment,
  readAt: moment
})

/** A grant without an org. */
export const grant: FastCheck.Arbitrary<Grant> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  clientId: client,
  name: text(80),
  staffId: FastCheck.constantFrom("ann", "bob"),
  scopes: some,
  personal: FastCheck.boolean(),
  createdAt: moment,
  lastUsedAt: FastCheck.option(moment),
  withdrawnAt: FastCheck.option(moment)
})

/** An authorization code without a grant. */
export const authorizationCode: FastCheck.Arbitrary<AuthorizationCode> = FastCheck.record({
  digest: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  grantId: FastCheck.constant(""),
  clientId: client,
  redirectUri: FastCheck.webUrl(),
  challenge: text(43),
  createdAt: moment,
  expiresAt: moment,
  spentAt: FastCheck.option(moment)
})

/** A token without a grant. */
export const grantToken: FastCheck.Arbitrary<GrantToken> = FastCheck.record({
  digest: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  grantId: FastCheck.constant(""),
  kind: FastCheck.constantFrom(...tokenKinds),
  scopes: some,
  createdAt: moment,
  expiresAt: moment,
  rotatedAt: FastCheck.option(moment),
  uses: FastCheck.nat(20)
})
