import type { Operation } from "@trailbook/core/operation/Operation"
import type { staffTasks } from "@trailbook/core/operation/upkeepOperations"
import type { DeskShown } from "../View.ts"
import { isOfBooking, taskWords } from "./taskWords.ts"

/**
 * What was to be done, why it was not, and a button that tries again.
 *
 * @category views
 */
export const Tasks = (
  { shown: { format, site }, tasks }: {
    readonly shown: DeskShown
    readonly tasks: Operation.Output<typeof staffTasks>["data"]
  }
) => (
  <ul class="rows">
    {tasks.map(({ attempts, due_at, given_up_at, id, kind, last_error, subject_id }) => (
      <li key={id}>
        <div class="grow">
          <b>{taskWords[kind]}</b>
          <span class={given_up_at === null ? "tag warn" : "tag bad"}>
            {given_up_at === null ? "still being tried" : "given up"}
          </span>
          {last_error !== null && <p dir="auto">{last_error}</p>}
          <p class="soft small">
            {`tried ${attempts === 1 ? "once" : `${attempts} times`} · `}
            {given_up_at === null
              ? `tried again on ${format.day(due_at)} at ${format.time(due_at)}`
              : `given up on ${format.day(given_up_at)} at ${format.time(given_up_at)}`}
            {isOfBooking(kind) && (
              <>
                {" "}· <a href={site.link(`/dashboard/bookings/${subject_id}`)}>the booking</a>
              </>
            )}
          </p>
        </div>
        <form method="post" action={site.link(`/dashboard/tasks/${id}/retry`)} data-once="">
          <button class="btn" aria-label={`Try again: ${taskWords[kind]}`}>Try again</button>
        </form>
      </li>
    ))}
  </ul>
)
