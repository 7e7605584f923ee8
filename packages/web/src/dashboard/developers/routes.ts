import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

const scope = "staff"
const path = "/dashboard/developers"
const hook = `${path}/webhooks/:id` as const

/**
 * How programs reach an outfitter: keys and webhooks.
 *
 * @category constructors
 */
export const developerRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path, name: "dashboard.developers", scope }, () => import("./DevelopersPage.tsx")),
  ...desk.form({ path: `${path}/keys/new`, name: "dashboard.newKey", scope }, () => import("./NewKeyPage.tsx")),
  ...desk.form(
    { path: `${path}/keys/:id/revoke`, name: "dashboard.revokeKey", scope },
    () => import("./RevokeKeyPage.tsx")
  ),
  ...desk.form(
    { path: `${path}/webhooks/new`, name: "dashboard.newWebhook", scope },
    () => import("./NewWebhookPage.tsx")
  ),
  desk.page({ path: hook, name: "dashboard.webhook", scope }, () => import("./WebhookPage.tsx")),
  desk.action({ path: `${hook}/test`, name: "dashboard.testWebhook", scope }, () => import("./testWebhook.tsx")),
  ...desk.form({ path: `${hook}/replay`, name: "dashboard.replayWebhook", scope }, () => import("./ReplayPage.tsx")),
  ...desk.form(
    { path: `${hook}/delete`, name: "dashboard.deleteWebhook", scope },
    () => import("./DeleteWebhookPage.tsx")
  )
]
