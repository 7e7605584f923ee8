import type { AnyRoute } from "@trailbook/http/Route"
import { accessRoutes } from "./accessRoutes.ts"
import { billingRoutes } from "./billing/routes.ts"
import { bookingRoutes } from "./bookings/routes.ts"
import type { Desk } from "./Desk.ts"
import { developerRoutes } from "./developers/routes.ts"
import { guestsRoutes } from "./guests/routes.ts"
import { inboxRoutes } from "./inbox/routes.ts"
import { offeringRoutes } from "./offerings/routes.ts"
import { agentRoutes } from "./proposals/routes.ts"
import { settingsRoutes } from "./settings/routes.ts"
import { setupRoutes } from "./setup/routes.ts"
import { teamRoutes } from "./team/routes.ts"
import { todayRoutes } from "./today/routes.ts"

/**
 * The pages of whoever is signed in.
 *
 * @category constructors
 */
export const dashboardRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  ...todayRoutes(desk),
  ...developerRoutes(desk),
  ...teamRoutes(desk),
  ...billingRoutes(desk),
  ...accessRoutes(desk),
  ...offeringRoutes(desk),
  ...setupRoutes(desk),
  ...settingsRoutes(desk),
  ...guestsRoutes(desk),
  ...bookingRoutes(desk),
  ...inboxRoutes(desk),
  ...agentRoutes(desk)
]
