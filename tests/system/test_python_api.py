# SPDX-License-Identifier: Apache-2.0
"""Simulations opened from Python: the module itself, each script a process."""

import pytest
from rig.scripts import script, start

PAIR = """
def ask(a, b):
    return NetperfRr(sender=a, receiver=b, duration=ms(2), request=Size(100), response=Size(3000))
"""


OPEN = """
simulation = api.open(line(DelayBox(name="box", one_way_delay=us(50)), ask))
"""

STEPPED = """
seen = 0
def look(*_):
    global seen
    seen += 1
simulation.every(us(7), look)
simulation.probe("a.eth0.mac.tx_frames").on_change(look)
simulation.probe("near.a_to_b.tap").on_change(look)
simulation.run_for(us(333))
simulation.run_until(lambda: simulation.probe("b.eth0.mac.rx_frames").number > 9, s(5))
watch = simulation.probe("a.stack.qdisc").on_change(look)
for _ in range(50):
    simulation.run_for(us(13))
watch.cancel()
assert seen > 100, seen
"""

ALL_OF_IT = """
run = simulation.finish()
sim = json.loads((run.folder / "raw" / "sim.json").read_text())
tell(probes=sim["probes"], window=sim["window"], end=sim["simulated_s"], measured=run.measured,
     series=run.series().write_csv())
"""


def test_where_a_run_is_cut_changes_nothing_of_it() -> None:
    whole = script(PAIR + OPEN + ALL_OF_IT)
    assert whole["measured"]["transactions_per_s"] > 1000
    assert script(PAIR + OPEN + STEPPED + ALL_OF_IT) == whole


def test_a_process_has_one_simulation_but_may_correct_a_topology() -> None:
    told = script(
        PAIR
        + """
wrong = line(DelayBox(name="box", one_way_delay=ms(1), params={"bad_fcs": "keep"}), ask)
said = []
for scenario in (wrong, line(DelayBox(name="box", one_way_delay=ms(1)), ask), wrong):
    try:
        api.open(scenario)
        said.append("")
    except UsageError as error:
        said.append(str(error))
tell(said=said)
"""
    )
    assert "box.bad_fcs: 'keep' is unknown" in told["said"][0]
    assert told["said"][1] == ""
    assert "start a process for each" in told["said"][2]


def test_conditions_stop_in_their_instant_and_callbacks_see_each_change() -> None:
    told = script(
        PAIR
        + """
simulation = api.open(line(DelayBox(name="box", one_way_delay=us(50)), ask))
frames = simulation.probe("b.eth0.mac.rx_frames")
changes, seen = [], []
frames.on_change(lambda time, value: changes.append((time.ps, value)))
simulation.probe("far.a_to_b.tap").on_change(lambda time, frame: seen.append((time.ps, frame)))
held = simulation.run_until(lambda: frames.number >= 5, limit=s(5))
at = simulation.now.ps
late = simulation.run_until(lambda: frames.number >= 10**6, limit=us(10))
passed = simulation.now.ps - at
simulation.run_until(lambda: False, limit=s(600))
tell(held=held, at=at, late=late, passed=passed, over=simulation.over,
     changes=changes, sent=len(seen), fate=seen[0][1].fate,
     octets=seen[0][1].octets, total=frames.number)
"""
    )
    assert told["held"] and not told["late"]
    assert told["changes"][4] == [told["at"], 5]
    assert told["passed"] == 10**7
    assert told["over"]
    assert [value for _, value in told["changes"]] == list(range(1, told["total"] + 1))
    assert told["sent"] == told["total"]
    assert told["fate"] == "sent"
    assert told["octets"] >= 64


def test_an_exception_of_a_callback_and_ctrl_c_stop_a_step_that_can_be_resumed() -> None:
    told = script(
        """
def ping(a, b):
    return Ping(sender=a, receiver=b, duration=s(3000))
simulation = api.open(line(DelayBox(name="box", one_way_delay=us(50)), ping))
def angry(time, value):
    raise ValueError(f"enough at {value}")
watch = simulation.probe("a.eth0.mac.tx_frames").on_change(angry)
try:
    simulation.run_for(s(10))
except ValueError as error:
    said = str(error)
stopped = simulation.now.seconds
watch.cancel()
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    simulation.run_for(s(3000))
    interrupted = None
except KeyboardInterrupt:
    interrupted = simulation.now.seconds
simulation.run_for(ms(1))
tell(said=said, stopped=stopped, interrupted=interrupted, now=simulation.now.seconds)
"""
    )
    assert told["said"] == "enough at 1"
    assert told["stopped"] < 5
    assert told["stopped"] < told["interrupted"] < 3000
    assert round(told["now"] - told["interrupted"], 9) == 0.001


def test_a_parameter_that_may_change_changes_and_others_say_which_may() -> None:
    told = script(
        """
def ping(a, b):
    return Ping(sender=a, receiver=b, duration=s(4))
simulation = api.open(line(DelayBox(name="box", one_way_delay=ms(1)), ping))
sent = simulation.probe("a.eth0.mac.tx_frames")
simulation.run_until(lambda: sent.number >= 4, s(30))    # ARP, ICMP: the second echo has left
simulation.run_for(ms(100))
simulation.set_param("box.delay_west", ms(31))
refused = []
for name, value in (("a.pcix.clock", "66MHz"), ("box.delay_west", s(2)), ("box.delay", ms(1)),
                    ("box.memory", "1MB"), ("box.loss_west", float("nan")), ("nobody.x", 1)):
    try:
        simulation.set_param(name, value)
    except UsageError as error:
        refused.append(str(error))
wrong = []
for call in (lambda: simulation.run_for(5), lambda: simulation.run_until(bool, ms(1), every=ms(0)),
             lambda: simulation.run_until(bool, 5), lambda: simulation.every(5, print)):
    try:
        call()
    except UsageError as error:
        wrong.append(str(error))
shown = simulation.param("box.delay_west")
run = simulation.finish()
try:
    simulation.set_param("box.delay_west", ms(1))
except UsageError as error:
    wrong.append(str(error))
reports = (simulation._out.final / "guests" / "a" / "report" / "ping.json").read_text()
simulation.close()
source = [p["source"] for p in run.manifest["parameters"] if p["name"] == "delay_west"]
tell(rtts=json.loads(reports)["rtt_us"], refused=refused, shown=shown, wrong=wrong, source=source,
     changes=run.manifest["changed_while_running"], rows=run.series().height,
     gone=not run.folder.exists())
"""
    )
    assert told["rtts"][0] < 10_000
    assert 32_000 < told["rtts"][-1] < 33_000
    assert told["shown"] == "31ms"
    assert told["refused"][0].startswith("a.pcix.clock: cannot change while the simulation runs; ")
    assert told["refused"][0].endswith("parameters of these can: box, a.eth0, b.eth0")
    assert "800ms" in told["refused"][1]
    assert "did you mean box.delay_" in told["refused"][2]
    assert "of its parameters these can: delay_west, loss_west" in told["refused"][3]
    assert "wants a finite number" in told["refused"][4]
    assert "there are" in told["refused"][5] and len(told["refused"][5]) < 300
    assert told["wrong"] == [
        "run_for: wants a time, such as ms(5), not 5",
        "a period of 0 is no period",
        "limit: wants a time, such as ms(5), not 5",
        "a period: wants a time, such as ms(5), not 5",
        "box.delay_west: the run is over",
    ]
    (change,) = told["changes"]
    assert (change["parameter"], change["before"], change["after"]) == (
        "box.delay_west", "1ms", "31ms",
    )  # fmt: skip
    assert 0.1 < change["time_s"] < 4
    assert told["source"] == ["changed while it ran (changed_while_running)"]
    assert told["gone"] and told["rows"] > 100


def test_registers_of_boxes_and_adapters_are_reached_beside_the_bus() -> None:
    body = """
def flow(a, b):
    return Iperf(sender=a, receiver=b, duration=ms(5), window=Size(65536))
nic = lambda: nics.e1000(flow_control=False, link_partner="no-pause")
simulation = api.open(line(Gnet1(name="gnet1", one_way_delay=us(100), model="MODEL"), flow,
                           nic=nic, phy="1000base-x", host=machines.xeon_533))
arrived = simulation.probe("b.eth0.mac.rx_frames")
simulation.run_until(lambda: arrived.number > 20, s(5), every=us(100))
before, reads = simulation.now.ps, simulation.probe("a.core.mmio_reads").number
adapter = simulation.adapter("a.eth0")
tail, head = adapter.read("TDT"), adapter.read("TDH")
adapter_ps = simulation.now.ps - before
box = simulation.box("gnet1")
delay = box.read("p0.DELAY")
box.write("p0.DELAY", us(300))
changed = box.read("p0.DELAY")
box_ps = simulation.now.ps - before
lost = simulation.probe("gnet1.discards_p0")
box.perform(control.discard(0))
dropped = simulation.run_until(lambda: lost.number == 1, ms(50))
tell(tail=tail, head=head, adapter_ps=adapter_ps, delay=delay.ps, changed=changed.ps, box_ps=box_ps,
     dropped=dropped, reads=simulation.probe("a.core.mmio_reads").number - reads,
     log=(simulation._out.raw / "control.csv").exists())
"""
    twin, rtl = (script(body.replace("MODEL", model)) for model in ("tlm", "rtl"))
    for told in (twin, rtl):
        assert told["tail"] < 256 and told["head"] < 256
        assert told["adapter_ps"] == 0
        assert told["delay"] == 100_000_000
        assert told["changed"] == 300_000_000
        assert told["dropped"]
    assert twin["box_ps"] == 0
    assert 0 < rtl["box_ps"] < 10_000_000


def test_a_run_of_a_script_is_as_one_of_the_command_line() -> None:
    told = script(
        """
simulation = api.open("pairs", "pairs=2", "workload=iperf+netperf_rr+connect", "duration=5ms",
                      "stagger=300us", "window=256KiB", out=Path(f"/tmp/api-{os.getpid()}/run"))
curves = simulation.record("sender0.iperf*_tcp.cwnd", every=us(100))
run = simulation.finish()
files = sorted(path.name for path in run.folder.iterdir())
measured, why = run.measured, run.bottleneck["why"]
import shutil; shutil.rmtree(run.folder.parent)
simulation.close()
tell(files=files, measured=measured, why=why, rows=curves.frame().height,
     columns=curves.frame().columns)
"""
    )
    wanted = {"results.json", "manifest.json", "report.html", "series.parquet", "guests", "raw"}
    assert wanted <= set(told["files"])
    measured = told["measured"]
    assert measured["workloads"] == 6
    assert set(measured["goodput_gbps_by_receiver"]) == {"receiver0", "receiver1"}
    assert measured["all_goodput_gbps"] > 1
    assert measured["transactions_per_s"] > 1000
    assert measured["connections_per_s"] > 100
    assert told["why"]
    assert told["rows"] > 40
    assert len(told["columns"]) == 2


@pytest.mark.parametrize(
    ("host", "settings"),
    [
        ("sender", "offload card=t110 toe=on"),
        ("receiver", "offload card=t110 toe=on workload=netperf_rr"),
        ("receiver", "offload card=t110 toe=off workload=netperf_rr"),
        ("toe", "nec_send engine=parallel"),
    ],
)
def test_a_simulation_may_end_while_its_connections_are_open(host: str, settings: str) -> None:
    """Nothing is sent, and no adapter is asked, while it is taken down."""
    told = script(
        f"""
simulation = api.open(*{settings!r}.split())
open_connections = simulation.probe("{host}.stack.open_connections")
assert simulation.run_until(lambda: open_connections.number > 0, s(9), every=us(100))
simulation.run_for(ms(20))
simulation.close()
del simulation
tell(ended=True)
"""
    )
    assert told["ended"]


def test_a_real_guest_is_refused_before_anything_starts() -> None:
    done = start(["-c", "from longhaul import api; api.open('ixgb_b2b')"])
    assert done.returncode != 0
    assert "has a real guest, which longhaul run starts" in done.stderr
