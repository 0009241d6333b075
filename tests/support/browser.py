"""Parts shared by the suites of the explorer: a headless Chromium, `tauler serve` over tables of the suite's own, and cases.

A suite is a list of functions that take a Page, and what to build first:

    browser.run_cases([["auale", "--seeds", "6"]], [plays_a_line, shows_a_chart])

Each case gets a page that remembers nothing, in English, 1280 by 900, light. After each one the console must hold no error
and nothing may have been asked of another host; a case that provokes an error says so with `page.forgive("404")`.
Selenium is Debian's, which the interpreter on the path may not have: then the suite is run again by Debian's own. Without
Chromium, its driver or Selenium, or with a tauler without HTTP, the suite is skipped and says why."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

import building
from building import Failure, Skip, expect  # noqa: F401 (for suites)

DEBIAN_PYTHON = "/usr/bin/python3"
# Waits end as soon as what they wait for is there; a machine with other work may take long.
SECONDS = 300
CHROMIUM = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--force-color-profile=srgb", "--window-size=1280,900"]
AXE = os.environ.get("TAULER_AXE", "")
PLACES = "button, [role=button], a[href], input, select, textarea, summary"

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    if not os.environ.get("TAULER_DEBIAN_PYTHON") and os.access(DEBIAN_PYTHON, os.X_OK):
        os.environ["TAULER_DEBIAN_PYTHON"] = "1"
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])
    webdriver, Keys = None, None
    WebDriverException = StaleElementReferenceException = Exception

# A request to end closes browsers and servers first.
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda caught, _: sys.exit(128 + caught))


def wait_for(condition, what, seconds=SECONDS):
    """The first true value of the condition."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        expect(time.monotonic() < end, "waited in vain for", what)
        time.sleep(0.03)


class Server:
    """`tauler serve` on a free port; the first line that it prints is its address."""

    def __init__(self, folder):
        self.folder = folder
        self.process = building.start("serve", "--db", folder, "--port", "0", stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            self.stop()
            raise Failure(f"tauler serve did not say where: {line!r}")
        self.address = found.group().rstrip("/") + "/"

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def start_chromium():
    options = webdriver.ChromeOptions()
    for argument in CHROMIUM:
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    driver.set_script_timeout(SECONDS)  # else 30 s, which axe-core takes on a busy machine
    driver.set_page_load_timeout(SECONDS)
    return driver


class Page:
    """A page of the explorer in a browser. Elements are named by CSS selectors."""

    def __init__(self, driver, server):
        self.driver = driver
        self.server = server
        self.forgiven = []
        self.hosts = set()
        self.left_out = None

    # --- Going there ---

    def forget(self, language="en", dark=False, width=1280, height=900, reduced_motion=True):
        """A page as on the first visit; moves are not shown on their way where motion is reduced."""
        driver = self.driver
        self.forgiven = []
        driver.get("about:blank")
        driver.execute_cdp_cmd("ServiceWorker.enable", {})
        driver.execute_cdp_cmd("ServiceWorker.stopAllWorkers", {})
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.server.address.rstrip("/"), "storageTypes": "all"})
        driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": "Mozilla/5.0", "acceptLanguage": language})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"}]})
        self.resize(width, height)
        self.logs()

    def resize(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def open(self, address=""):
        """Loads the page with this address behind its own, even where only that differs."""
        self.driver.get("about:blank")
        self.driver.get(self.server.address + address)
        self.settle()

    def settle(self):
        """Until the page shows what it was told to."""
        def settled():
            return self.run("""const main = document.querySelector("main");
                return main !== null && main.getAttribute("aria-busy") === "false" &&
                  (document.querySelector("#board svg") !== null || document.querySelector(".problem") !== null);""")
        wait_for(settled, "the page to be shown")

    # --- Looking ---

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, css):
        return self.driver.find_elements("css selector", css)

    def find(self, css):
        found = self.all(css)
        expect(found, "there is no", css)
        return found[0]

    def has(self, css):
        return bool(self.all(css))

    # In one step each: what is found may be drawn anew before it is asked.

    def text(self, css):
        found = self.texts(css)
        expect(found, "there is no", css)
        return found[0]

    def texts(self, css):
        return self.run("""return [...document.querySelectorAll(arguments[0])]
            .map((one) => (one.innerText ?? one.textContent).trim().replace(/\\s+/g, " "));""", css)

    def attribute(self, css, name):
        found = self.run("""const one = document.querySelector(arguments[0]);
            return one && [one.getAttribute(arguments[1])];""", css, name)
        expect(found, "there is no", css)
        return found[0]

    @property
    def hash(self):
        return urllib.parse.unquote(self.run("return location.hash"))

    @property
    def notation(self):
        """The position that the page says it shows."""
        return self.run("return document.querySelector('#notation').value")

    @property
    def announced(self):
        return self.run("return document.querySelector('#announcement').textContent")

    @property
    def focused(self):
        """The accessible name of what has the focus."""
        return self.run("""const here = document.activeElement;
            return here.getAttribute("aria-label") ?? here.textContent.trim();""")

    # --- Doing ---

    def show(self, css):
        """Presses the tab of the part that has it, as a person does who looks for it."""
        self.run("""const part = document.querySelector(arguments[0])?.closest(".panel:not(.chosen)");
            if (part) document.getElementById(part.getAttribute("aria-labelledby")).click();""", css)

    def click(self, css):
        for attempt in range(3):
            try:
                self.show(css)
                element = self.find(css)
                self.run("arguments[0].scrollIntoView({block: 'center'})", element)
                ActionChains(self.driver).move_to_element(element).click().perform()
                break
            except StaleElementReferenceException:
                # Drawn anew between finding and pressing.
                if attempt == 2:
                    raise
        self.settle()

    def press(self, *keys):
        """Keys to whatever has the focus, all at once: press(Keys.SHIFT, Keys.TAB)."""
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()
        self.settle()

    def focus(self, css):
        self.show(css)
        expect(self.run("const one = document.querySelector(arguments[0]); one?.focus(); return one !== null;", css), "there is no", css)

    def tab_to(self, css, most=200):
        """Tab, as often as it takes."""
        for _ in range(most):
            if self.run("return document.activeElement.matches(arguments[0])", css):
                return
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        raise Failure(f"Tab does not come to {css}")

    def write(self, css, what):
        """Puts a text into a field, as by hand."""
        self.focus(css)
        self.run("document.activeElement.select()")
        ActionChains(self.driver).send_keys(what).perform()

    def choose(self, css, value):
        """An option of a select, by its value."""
        self.run("""const [css, value] = arguments, field = document.querySelector(css); field.value = value;
            field.dispatchEvent(new Event("change", {bubbles: true}));""", css, value)
        self.settle()

    def back(self):
        self.driver.back()
        self.settle()

    def forward(self):
        self.driver.forward()
        self.settle()

    def wait(self, condition, what):
        found = wait_for(condition, what)
        self.settle()
        return found

    def wait_hash(self, part):
        wait_for(lambda: part in self.hash, f"an address with {part}, not {self.hash}")
        self.settle()

    # --- Judging ---

    def forgive(self, *parts):
        """Errors in the console with such a part are what the case is about."""
        self.forgiven += parts

    def logs(self):
        """Lines of the console since the last call, and the hosts of all requests."""
        console = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = urllib.parse.urlsplit(message["params"]["request"]["url"])
                if address.scheme in ("http", "https", "ws", "wss"):
                    self.hosts.add(address.netloc)
        return console

    def judge(self):
        """After a case: nothing in the console, nobody else asked."""
        console = [line for line in self.logs() if not any(part in line for part in self.forgiven)]
        expect(not console, "the console says", console)
        own = urllib.parse.urlsplit(self.server.address).netloc
        expect(self.hosts <= {own}, "other hosts were asked:", self.hosts - {own})

    def check_width(self):
        """Nothing reaches beyond the right edge, and the page does not scroll sideways."""
        wide, room = self.run("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        expect(wide <= room, "the page is", wide, "wide in", room)
        beyond = self.run("""const room = document.documentElement.clientWidth;
            return [...document.querySelectorAll("main *, header *, footer *")]
              .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().right > room + 1 &&
                !one.closest("svg") && !one.matches("option, .visually_hidden, details:not([open]) > :not(summary) *, details:not([open]) > :not(summary)"))
              .map((one) => one.outerHTML.slice(0, 80));""")
        expect(not beyond, "beyond the edge:", beyond)

    def check_first_screen(self, css):
        """The first such part is whole on the screen before anything is scrolled."""
        bottom, room = self.run("return [document.querySelector(arguments[0]).getBoundingClientRect().bottom + scrollY, innerHeight]", css)
        expect(bottom <= room, css, "ends at", bottom, "on a screen of", room)

    def check_text_sizes(self, least=11):
        """Letters in drawings are as large as that on the screen."""
        small = self.run("""return [...document.querySelectorAll("main svg text")]
              .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a])
              .filter(([words, size]) => words !== "" && size < arguments[0] - 0.05).slice(0, 5);""", least)
        expect(not small, "letters too small:", small)

    def check_names(self):
        """Every control has a name, no id is there twice, and what is told by id is there."""
        nameless = self.run("""return [...document.querySelectorAll(arguments[0])].filter((one) => {
              const by = (one.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean)
                .map((id) => document.getElementById(id)?.textContent ?? "").join("");
              const labels = [...(one.labels ?? [])].map((label) => label.textContent).join("");
              const own = one.matches("input, select") ? "" : one.textContent;
              return !(one.getAttribute("aria-label") || by || labels || own).trim();
            }).map((one) => one.outerHTML.slice(0, 120));""", PLACES)
        expect(not nameless, "controls without a name:", nameless)
        twice = self.run("""const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
            return ids.filter((id, i) => ids.indexOf(id) !== i);""")
        expect(not twice, "ids that are there twice:", twice)
        dangling = self.run("""return [...document.querySelectorAll("[aria-labelledby], [aria-describedby], label[for]")]
              .flatMap((one) => [one.getAttribute("aria-labelledby"), one.getAttribute("aria-describedby"), one.getAttribute("for")])
              .filter(Boolean).flatMap((ids) => ids.split(" ")).filter((id) => document.getElementById(id) === null);""")
        expect(not dangling, "ids that are told of and not there:", dangling)

    def check_reachable(self):
        """Tab comes to every control that is shown and not disabled, and away from it again."""
        # The page itself writes down where the focus comes, so that many keys can be pressed at once.
        wanted = set(self.run("""const shown = [...document.querySelectorAll(arguments[0])].filter((one) => !one.disabled &&
                one.getClientRects().length > 0 && one.tabIndex >= 0 &&
                !one.closest("details:not([open]) > :not(summary)") && !(one.type === "radio" && !one.checked));
            shown.forEach((one, i) => { one.dataset.reach = String(i); });
            window.reached_by_tab = [];
            document.addEventListener("focusin", ({target}) => window.reached_by_tab.push(target.dataset.reach ?? ""));
            document.activeElement.blur();
            return shown.map((one) => one.dataset.reach);""", PLACES))
        reached = set()
        for _ in range(0, 2 * len(wanted) + 10, 10):
            ActionChains(self.driver).send_keys(Keys.TAB * 10).perform()
            reached = set(self.run("return window.reached_by_tab"))
            if wanted <= reached:
                return
        missing = [self.find(f'[data-reach="{i}"]').get_attribute("outerHTML")[:100] for i in wanted - reached]
        raise Failure(f"Tab does not reach {missing}")

    def check_contrast(self, least=4.5):
        """Text on plain ground can be told from it (WCAG 2.1, AA); letters in drawings are looked at by who draws them."""
        self.run("document.getAnimations().forEach((one) => one.finish())")
        faint = self.run(CONTRAST, least)
        expect(not faint, "too faint:", faint)

    def check_plates(self, least=4.5):
        """Figures on plates and numbers on tokens of the board can be told from their ground and have room on it."""
        faint = self.run(PLATES, least)
        expect(not faint, "plates:", faint)

    def check_axe(self):
        """No rule of axe-core is broken; TAULER_AXE names its axe.min.js."""
        if not os.path.exists(AXE):
            self.left_out = "axe-core is missing, which make test fetches from the npm registry"
            return
        if not self.run("return 'axe' in window"):
            with open(AXE, encoding="utf-8") as file:
                self.run(file.read())
        found = self.driver.execute_async_script("""const done = arguments[0];
            axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(({violations}) =>
              done(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join("; ")} (${one.help})`)),
              (problem) => done([String(problem)]));""")
        expect(not found, "axe:", found)

    def each_tab(self):
        """Shows each part of the page that has something to show; gives its name."""
        for name in self.run("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((one) => one.id.slice(4))"):
            self.click(f"#tab_{name}")
            yield name

    def check_all(self):
        self.check_names()
        self.check_contrast()
        self.check_reachable()


# Colours come as rgb() or color(srgb …); text on half-transparent grounds is left to the eye.
COLOURS = r"""
const least = arguments[0];
function parts(colour) {
  const numbers = (colour.match(/[\d.]+(e-?\d+)?/g) ?? []).map(Number);
  const scale = colour.startsWith("color(") ? 255 : 1;
  return [numbers[0] * scale, numbers[1] * scale, numbers[2] * scale, numbers[3] ?? 1];
}
function luminance([red, green, blue]) {
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}
function contrast(one, other) {
  const [lighter, darker] = [luminance(parts(one)), luminance(parts(other))].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}
"""
PLATES = COLOURS + r"""
return [...document.querySelectorAll("#board .badge, #board .token")].map((one) => {
  const words = one.querySelector("text"), plate = one.querySelector(".plate, .disc");
  const room = plate.getBBox().width - words.getBBox().width;
  return [words.textContent, contrast(getComputedStyle(words).fill, getComputedStyle(plate).fill), room];
}).filter(([, found, room]) => found < least || room < 2);
"""
CONTRAST = COLOURS + r"""
function ground(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = parts(getComputedStyle(one).backgroundColor);
    if (colour[3] === 1) return getComputedStyle(one).backgroundColor;
  }
  return "rgb(255, 255, 255)";
}
return [...document.querySelectorAll("body *")].filter((one) => {
  if (one.closest("svg, option, .visually_hidden, .skip, :disabled, noscript") || one.getClientRects().length === 0) return false;
  if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) return false;
  return contrast(getComputedStyle(one).color, ground(one)) < least;
}).map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)} ${getComputedStyle(one).color} on ${ground(one)}`);
"""


def probe(page, game, position, *options, exit_code=0):
    """The answer of the command line about a position."""
    return json.loads(building.run("probe", game, "--json", "--db", page.server.folder, *options, position,
                                   exit_code=exit_code).stdout)


def reason_to_skip():
    if webdriver is None:
        return "python3-selenium is missing"
    missing = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    if missing:
        return f"{' and '.join(missing)} missing (Debian: chromium, chromium-driver)"
    if "serve" not in building.run("--help").stdout:
        return "this tauler was built without HTTP"
    return None


def run_cases(builds, cases):
    """Builds the tables, starts server and browser, runs each case and exits; those named on the command line only, if any are."""
    chosen = [case for case in cases if len(sys.argv) < 2 or case.__name__ in sys.argv[1:]]
    reason = reason_to_skip()
    if reason:
        for case in chosen:
            print(f"SKIP: {case.__name__}: {reason}", flush=True)
        sys.exit(0)
    folder = tempfile.mkdtemp(prefix="tauler-explorer.")
    server = driver = None
    failed = False
    try:
        for game, *options in builds:
            building.run("build", game, "--db", folder, "--quiet", *options)
        server = Server(folder)
        driver = start_chromium()
        for case in chosen:
            failed = not run_case(case, Page(driver, server)) or failed
    except (Failure, OSError, WebDriverException, subprocess.SubprocessError) as problem:
        failed = True
        print(f"FAIL: beginning: {type(problem).__name__}: {problem}", flush=True)
    finally:
        if driver:
            driver.quit()
        if server:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(failed)


def run_case(case, page):
    try:
        page.forget()
        case(page)
        page.judge()
    except Skip as reason:
        print(f"SKIP: {case.__name__}: {reason}", flush=True)
    except (Failure, OSError, ValueError, KeyError, WebDriverException, subprocess.SubprocessError) as reason:
        words = " ".join(str(reason).split())[:1500]
        print(f"FAIL: {case.__name__}: {type(reason).__name__}: {words}", flush=True)
        return False
    else:
        print(f"PASS: {case.__name__}", flush=True)
        if page.left_out:
            print(f"SKIP: {case.__name__}_axe: {page.left_out}", flush=True)
    return True
