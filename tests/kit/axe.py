"""axe-core, put into a page by the tests: what it finds there that keeps people out."""

from __future__ import annotations

from playwright.async_api import Page

from tests.kit.service import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


async def found_by_axe(page: Page) -> list[str]:
    """Every violation on the page as it is now: its rule, what it says and where."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text())
    found: list[str] = await page.evaluate(
        """async tags => {
          const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`));
        }""",
        list(TAGS),
    )
    return found
