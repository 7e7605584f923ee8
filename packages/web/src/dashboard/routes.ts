import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import type { Who } from "../signIn/Who.ts"
import type { Site } from "../Site.ts"
import { accessRoutes } from "./accessRoutes.ts"
import { billingRoutes } from "./billing/routes.ts"
import { bookingRoutes } from "./bookings/routes.ts"
import * as Desk from "./Desk.ts"
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
export const dashboardRoutes = (site: Site, who: Who) =>
  Effect.map(Desk.make(site, who), (desk): ReadonlyArray<AnyRoute> => [
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
  ])
