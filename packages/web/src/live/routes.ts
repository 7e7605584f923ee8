import { ChangeNotifier } from "@trailbook/core/event"
import * as Effect from "effect/Effect"
import { get } from "../defineRoute.ts"
import type { StaffAuth } from "../signIn/StaffAuth.ts"
import * as SseHub from "./SseHub.ts"

/** Creates the route for the event stream that the pages of signed-in staff members open. */
export const liveRoutes = (who: StaffAuth) =>
  Effect.gen(function*() {
    const { open } = SseHub.make(yield* ChangeNotifier)

    return [
      get({ caller: { scope: "read", find: who.find } }, "/dashboard/stream", "dashboard.stream", (routeRequest) => {
        const { actor: { orgId }, goingDown, request } = routeRequest
        if (request.method === "HEAD") return Effect.succeed({ status: 200, body: null, headers: SseHub.headers })
        return Effect.flatMap(
          who.authenticate(request),
          // If the host application authenticated the staff member, there is no sign-in session, so the limit applies
          // per staff member.
          ({ login: { id, staffId } }) =>
            open({ orgId, loginId: id || staffId, isSignedIn: who.isStillSignedIn(request), goingDown })
        )
      })
    ]
  })
