import { type DashboardPage, type PageContext, toSection } from "../Page.ts"

/** Error page with a link back to the form. */
export const refusedPage = ({ request, shown: { site } }: PageContext, message: string): DashboardPage => {
  const from = request.headers.get("referer")
  const { origin, pathname } = new URL(request.url)
  const back = from !== null && URL.canParse(from) && new URL(from).origin === origin ? from : site.link("/dashboard")
  return {
    title: "Action failed",
    part: toSection(pathname.slice(site.link("/dashboard").length)),
    body: (
      <div class="stack">
        <p class="note wrong" role="alert">{message}</p>
        <p>
          <a class="btn" href={back}>Go back</a>
        </p>
      </div>
    )
  }
}
