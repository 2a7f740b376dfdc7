"""A recruiter's day in a real browser."""

import re
from urllib.parse import quote_plus

from playwright.sync_api import Browser, Page, expect

from tests.test_pages import QUESTION

ASKED = f"/search?q={quote_plus(QUESTION)}"


def test_asking_refining_reading_and_going_back(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".entry")).to_have_count(20)
    expect(page.locator(".slices caption").first).to_have_text("Place")
    before = page.locator(".total b").inner_text()

    page.locator(".chip", has_text="in United States").locator("summary").click()
    page.locator(".chip[open]").get_by_role("button", name="should").click()
    expect(page.locator(".chip.should summary")).to_have_text(re.compile("in United States"))
    expect(page.locator(".total b")).not_to_have_text(before)
    assert "should" in page.url

    page.go_back()
    expect(page.locator(".total b")).to_have_text(before)
    page.locator(".slices a").first.click()
    expect(page.locator(".reset")).to_be_visible()


def test_a_second_question_comes_without_leaving_the_page(page: Page) -> None:
    page.goto("/search?q=moe+kernels")
    first = page.locator(".total b").inner_text()
    page.evaluate("window.stayed = true")
    page.locator("#q").fill("speculative decoding")
    page.keyboard.press("Enter")
    expect(page.locator(".total b")).not_to_have_text(first)
    assert page.evaluate("window.stayed")
    assert page.url.endswith("/search?q=speculative+decoding")
    expect(page).to_have_title(re.compile("^speculative decoding"))
    expect(page.locator("#q")).not_to_be_focused()
    expect(page.locator("#save [name=q]")).to_have_value("speculative decoding")

    page.go_back()
    expect(page.locator(".total b")).to_have_text(first)
    expect(page.locator("#q")).to_have_value("moe kernels")


def test_a_chip_is_added_changed_and_removed_by_keyboard(page: Page) -> None:
    page.goto("/search?q=moe+kernels")
    page.locator(".chip.add summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("What", exact=True).select_option("country")
    page.get_by_label("is", exact=True).fill("pl")
    page.get_by_role("button", name="Add", exact=True).press("Enter")
    chip = page.locator(".chip", has_text="in Poland")
    expect(chip).to_be_visible()
    chip.locator("summary").click()
    chip.get_by_role("button", name="Remove").click()
    expect(chip).to_have_count(0)


def test_the_keys_move_open_select_hide_and_explain(page: Page) -> None:
    page.goto(ASKED)
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.locator(".entry").nth(1)
    expect(second).to_have_class(re.compile(r"\bat\b"))
    page.keyboard.press("x")
    expect(second.locator("input[name=id]")).to_be_checked()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    expect(second.locator(".hide .menu")).to_be_visible()
    name = second.locator("h2 a").inner_text()
    second.get_by_role("button", name="we know them already").click()
    expect(page.locator(".entry", has_text=name)).to_have_count(0)
    expect(page.locator(".total")).to_contain_text("1 hidden by you")
    page.goto(ASKED)
    expect(page.locator(".entry", has_text=name)).to_have_count(0)
    page.locator(".hidden-people summary").click()
    page.get_by_role("button", name=f"Show {name} again").click()
    expect(page.locator(".entry", has_text=name)).to_have_count(1)


def test_evidence_is_read_in_the_panel_and_on_the_page(page: Page) -> None:
    page.goto(ASKED)
    link = page.locator(".who h2 a").first
    name = link.inner_text()
    link.click()
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", level=1)).to_have_text(name)
    panel.locator("details.score summary", has_text="topic fit").click()
    expect(panel.locator("details.score .commit:visible").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    link.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/people/"))
    expect(page.get_by_role("heading", name="Questions to ask")).to_be_visible()
    page.go_back()
    expect(page.locator(".entry")).to_have_count(20)


def test_shortlist_note_stage_undo_and_export(page: Page) -> None:
    page.goto(ASKED)
    page.keyboard.press("j")
    name = page.locator(".entry h2 a").first.inner_text()
    page.keyboard.press("s")
    expect(page.get_by_role("status").first).to_contain_text("1 person added to Shortlist.")
    expect(page.locator(".entry").first.locator(".listed")).to_have_text("on Shortlist")
    page.get_by_role("link", name="Shortlists").click()
    page.get_by_role("link", name="Shortlist", exact=True).click()
    card = page.locator(".card", has_text=name)
    card.locator("select[name=stage]").select_option("contacted")
    expect(page.locator(".column", has_text="Contacted").locator(".card")).to_have_count(1)
    card.locator(".more summary").click()
    card.get_by_label("A note").fill("wrote back within a day")
    card.get_by_role("button", name="Write").click()
    expect(page.get_by_role("status")).to_contain_text("Note written.")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Undone.")
    page.keyboard.press("e")
    expect(page.locator("main")).to_contain_text("1 person would go out")
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV").click()
    assert name in started.value.path().read_text("utf-8-sig")


def test_a_search_is_saved_from_its_dialog(page: Page) -> None:
    page.goto(ASKED)
    page.get_by_role("link", name="Save this search").click()
    page.locator("#save").get_by_label("Name").fill("MoE, US")
    page.locator("#save").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("MoE, US")
    page.get_by_role("link", name="Run it now").click()
    expect(page.locator(".entry")).to_have_count(20)


def test_two_are_compared(page: Page) -> None:
    page.goto(ASKED)
    page.locator("input[name=id]").nth(0).check()
    page.locator("input[name=id]").nth(2).check()
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".versus thead th")).to_have_count(2)


def test_comparing_one_is_refused_where_it_was_asked_for(page: Page) -> None:
    page.goto(ASKED)
    page.locator("input[name=id]").nth(1).check()
    expect(page.locator("[data-picked]")).to_have_text("1 selected")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("[data-picked]")).to_contain_text("Comparing takes 2 to 4 people.")
    expect(page.locator("input[name=id]").nth(1)).to_be_checked()


def test_what_is_done_far_down_a_list_leaves_it_where_it_is(page: Page) -> None:
    page.goto(ASKED, wait_until="networkidle")
    page.locator("input[name=id]").nth(2).check()
    entry = page.locator(".entry").nth(14)
    button = entry.get_by_role("button", name="Shortlist")
    button.scroll_into_view_if_needed()
    before = entry.bounding_box()
    button.click()
    expect(page.locator(".said")).to_contain_text("added to")
    expect(button).to_be_focused()
    after = entry.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 1
    expect(page.locator("input[name=id]").nth(2)).to_be_checked()
    page.locator(".said").get_by_role("button", name="Undo").click()
    expect(page.locator(".said")).to_contain_text("Undone.")

    entry.locator(".hide summary").click()
    entry.get_by_role("button", name="too junior").click()
    expect(page.locator(".total")).to_contain_text("hidden by you")
    expect(page.locator(".entry").nth(14).locator("h2 a")).to_be_focused()
    page.locator(".said").get_by_role("button", name="Undo").click()
    expect(page.locator(".total")).not_to_contain_text("hidden by you")


def test_a_file_is_imported(page: Page) -> None:
    page.goto("/imports")
    file = {"name": "ats.csv", "mimeType": "text/csv", "buffer": b"Candidate,Job\nAda Example,x\n"}
    page.get_by_label(re.compile("A file")).set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Look at it first").click()
    page.get_by_label("Job is read as").select_option("title")
    page.get_by_role("button", name="Import").click()
    expect(page.locator("main")).to_contain_text("1 record was kept.", timeout=15_000)


def test_a_row_of_the_queue_is_decided_by_keyboard(page: Page) -> None:
    page.goto("/imports/queue")
    rows = page.locator(".queue > li")
    before = rows.count()
    assert before > 0
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(rows).to_have_count(before - 1)
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(before)


def test_two_are_merged_and_parted_again(page: Page) -> None:
    page.goto(ASKED)
    links = page.locator(".who h2 a")
    first, second = (links.nth(row).get_attribute("href") or "" for row in (4, 5))
    page.goto(first)
    page.get_by_text("This is the same person as another").click()
    page.get_by_label("Id or login of the other").fill(second.split("?")[0].split("/")[-1])
    form = page.locator("form[action$='/merge']")
    form.get_by_label("Because").fill("told so by both")
    form.get_by_role("button", name="Merge").click()
    expect(page.get_by_role("status")).to_contain_text("Recorded: one person")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Undone.")
    expect(page.locator("main")).to_contain_text("undone by local")


def test_blind_until_shortlisted(page: Page) -> None:
    page.goto(ASKED)
    link = page.locator(".who h2 a").nth(6)
    name = link.inner_text()
    entry = page.locator(".entry").nth(6)
    page.locator(".view summary").click()
    page.get_by_label("Blind: hide who people are").check()
    page.locator(".view").get_by_role("button", name="Change").click()
    expect(link).to_have_text(re.compile("^Person "))
    entry.get_by_role("button", name="Shortlist").click()
    expect(link).to_have_text(name)
    page.get_by_role("status").first.get_by_role("button", name="Undo").click()
    expect(link).to_have_text(re.compile("^Person "))
    page.locator(".view summary").click()
    page.get_by_label("Blind: hide who people are").uncheck()
    page.locator(".view").get_by_role("button", name="Change").click()
    expect(page.locator(".who h2 a", has_text=re.compile("^Person "))).to_have_count(0)


def test_who_asks_not_to_be_found_is_gone(page: Page) -> None:
    page.goto(ASKED)
    link = page.locator(".who h2 a").nth(3)
    name, path = link.inner_text(), link.get_attribute("href") or ""
    page.goto(path)
    page.get_by_text("This person asks not to be found").click()
    page.get_by_label("Yes, they asked for it").check()
    page.get_by_role("button", name="Take out of every answer").click()
    expect(page.get_by_role("status")).to_contain_text(f"{name} is not found any more.")
    page.goto(ASKED)
    expect(page.locator(".entry")).to_have_count(20)
    expect(page.locator(".entry h2 a", has_text=name)).to_have_count(0)


def test_it_works_without_script(launched: Browser, address: str) -> None:
    context = launched.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.locator("#q").fill("moe kernels in the US")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".entry")).not_to_have_count(0)
    page.locator(".chip", has_text="in United States").locator("summary").click()
    page.locator(".chip[open]").get_by_role("button", name="should").click()
    expect(page.locator(".chip.should")).to_have_count(1)
    page.get_by_role("link", name=re.compile("Count the pool")).click()
    expect(page.locator(".histogram")).to_have_count(4)
    page.go_back()
    page.locator(".entry").first.get_by_role("button", name="Shortlist").click()
    expect(page.get_by_role("status").first).to_contain_text("added to")
    context.close()
