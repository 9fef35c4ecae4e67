# SPDX-License-Identifier: Apache-2.0
"""The samples are what iperf 2.1.8, iperf 3.12, ping and ss of Debian 12 printed."""

from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.results import workload_reports as reports

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> str:
    return (SAMPLES / name).read_text()


def test_iperf_counts_the_sum_line_of_parallel_streams_once() -> None:
    transfer = reports.iperf(sample("iperf-server-2-streams.txt"))
    assert transfer == reports.Transfer(2_979_397_752, 23_781_103_786.0)


def test_iperf_streams_are_added_where_there_is_no_sum() -> None:
    text = "\n".join(
        line
        for line in sample("iperf-server-2-streams.txt").splitlines()
        if not line.startswith("[SUM]")
    )
    transfer = reports.iperf(text)
    assert transfer == reports.Transfer(
        1_293_156_412 + 1_686_241_340, 10_342_572_570.0 + 13_459_324_217.0
    )


def test_iperf_takes_the_whole_test_not_its_intervals() -> None:
    text = (
        "[  1] 0.0000-0.5000 sec  100 Bytes  1600 bits/sec  1=1\n"
        "[  1] 0.5000-1.0000 sec  200 Bytes  3200 bits/sec  1=1\n"
        "[  1] 0.0000-1.0001 sec  300 Bytes  2399 bits/sec  2=2\n"
    )
    assert reports.iperf(text) == reports.Transfer(300, 2399.0)


def test_iperf_reports_udp_as_well() -> None:
    text = "[  1] 0.0000-1.0001 sec  13112400 Bytes  104890179 bits/sec   0.001 ms 0/8920 (0%)\n"
    assert reports.iperf(text) == reports.Transfer(13_112_400, 104_890_179.0)


def test_iperf_in_rounded_units_is_not_taken_for_exact() -> None:
    assert reports.iperf(sample("iperf-client-2-streams.txt")) is None


def test_iperf3_takes_what_the_receiver_got() -> None:
    server = reports.iperf3(sample("iperf3-server.json"))
    assert server is not None
    assert server.bytes == 2_861_826_048
    assert server.bits_per_s == pytest.approx(22_882_412_058.37, abs=0.01)


def test_iperf3s_own_error_is_the_message() -> None:
    with pytest.raises(LonghaulError, match="unable to connect to server: Connection refused"):
        reports.iperf3('{"error": "unable to connect to server: Connection refused"}')


def test_ping_average() -> None:
    assert reports.ping_rtt_ms(sample("ping.txt")) == 0.092


def test_ss_weighs_connections_by_what_they_sent() -> None:
    assert reports.ss_rtt_ms(sample("ss.txt")) == pytest.approx(0.114, abs=1e-6)
    assert reports.ss_rtt_ms("") is None


def test_ss_says_nothing_of_a_socket_that_a_chip_runs() -> None:
    row = "\t reno rto:1000 mss:7780 pmtu:7832 cwnd:{} busy:{}ms snd_wnd:9000 unacked:1{}\n"
    chip, own = row.format(1, 320, " tcp-ulp-toe"), row.format(10, 40, " rwnd_limited:20ms")
    assert reports.ss_limits(chip) is None
    limits = {"rwnd_limited_pct": 50.0, "sndbuf_limited_pct": 0.0}
    assert reports.ss_limits(own + chip) == limits | {"snd_wnd_bytes": 9000, "cwnd_bytes": 77800}


def test_nstat_leaves_out_what_stayed_zero() -> None:
    assert reports.retransmits('{"kernel":{"TcpOutSegs":5}}') == 0
    assert reports.retransmits('{"kernel":{"TcpRetransSegs":18}}') == 18


@pytest.mark.parametrize(
    ("counters", "share"),
    [
        ("{}", 1.0),
        ('{"UdpInDatagrams":75,"UdpInErrors":25}', 0.75),
        ('{"Udp6InDatagrams":30,"Udp6InErrors":10,"UdpInDatagrams":0}', 0.75),
        ('{"UdpInErrors":5}', 0.0),
    ],
)
def test_the_share_of_datagrams_that_a_program_took(counters: str, share: float) -> None:
    assert reports.udp_share(f'{{"kernel":{counters}}}') == share


def test_a_missing_report_is_none_and_a_broken_one_names_its_file(tmp_path: Path) -> None:
    found = reports.Reports(tmp_path)
    assert found.transfer("receiver") is None
    assert found.udp_share("receiver") == 1.0
    folder = tmp_path / "receiver" / "report"
    folder.mkdir(parents=True)
    (folder / "iperf3.json").write_text("{")
    with pytest.raises(LonghaulError, match="receiver's iperf3.json cannot be read"):
        found.transfer("receiver")
