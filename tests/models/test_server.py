"""A server of the job's own: up with a key and a port, or a clear error with its last words; always ended."""

import asyncio
import os
import shlex
import socket
import sys

import aiohttp
import pytest
from models.serving import COMMAND, all_gone, orders, starts

from inforce.models import server as module
from inforce.models.server import Server, ServerError, free_port


def made(tmp_path, *, start_s=20.0, checkpoint="org/served", **told):
    environment = {name: value for name, value in orders(tmp_path, **told).items() if name == "STUB_VLLM"}

    def command(port):
        return [*shlex.split(COMMAND), "--served-model-name", "org/served", "--host", "127.0.0.1", "--port", str(port)]

    return Server(command, environment, tmp_path / "logs" / "server.log", checkpoint=checkpoint, start_s=start_s)


def begun(server):
    """Start, and stop whatever comes of it."""

    async def whole():
        try:
            await server.start()
        finally:
            await server.stop()

    return asyncio.run(whole())


def test_it_answers_only_to_the_key_tells_its_version_and_ends(tmp_path):
    server = made(tmp_path, version="0.32.0+cpu")

    async def whole():
        await server.start()
        url = f"{server.base_url}/models"
        async with aiohttp.ClientSession() as session:
            async with session.get(url) as reply:
                assert reply.status == 401
            async with session.get(url, headers={"Authorization": f"Bearer {server.key}"}) as reply:
                assert reply.status == 200
        await server.stop()
        await server.stop()

    asyncio.run(whole())
    assert server.version == "0.32.0+cpu" and len(server.key) >= 32
    assert len(starts(tmp_path)) == 1 and all_gone(tmp_path)
    assert server.key not in server.log.read_text()


def test_a_model_that_does_not_load_is_named_with_the_server_s_last_words(tmp_path, capsys):
    server = made(tmp_path, mode="die_at_start")
    with pytest.raises(ServerError, match="ended with status 1 before it answered") as caught:
        begun(server)
    assert "| ValueError: the checkpoint org/model has no config.json" in str(caught.value)
    assert str(server.log) in str(caught.value)
    assert len(starts(tmp_path)) == 1 and all_gone(tmp_path), "started once: another port would not help"


def test_a_deadline_for_health(tmp_path):
    server = made(tmp_path, mode="never_healthy", start_s=1.5)
    with pytest.raises(ServerError, match=r"did not answer within 1.5 s \(start_s in the model file\)") as caught:
        begun(server)
    assert "Uvicorn running" in str(caught.value)
    assert all_gone(tmp_path)


def test_a_port_that_another_program_took_is_tried_on_another(tmp_path, monkeypatch, capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ports = [other.getsockname()[1], free_port()]
        monkeypatch.setattr(module, "free_port", lambda: ports.pop(0))
        begun(made(tmp_path))
    assert "was taken before the server had it; trying another" in capsys.readouterr().err
    assert len(starts(tmp_path)) == 2 and not ports and all_gone(tmp_path)


def test_ports_that_are_always_taken_end_in_an_error(tmp_path, monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr(module, "free_port", lambda: other.getsockname()[1])
        monkeypatch.setattr(module, "PORT_TRIES", 2)
        with pytest.raises(ServerError, match="address already in use"):
            begun(made(tmp_path))
    assert len(starts(tmp_path)) == 2 and all_gone(tmp_path)


def test_another_program_on_the_port_is_not_taken_for_the_server(tmp_path, monkeypatch):
    """The first server holds the port; the second one asks with its own key, is not known, and its process has died."""

    async def whole():
        first, second = made(tmp_path), made(tmp_path)
        await first.start()
        taken = int(first.base_url.rpartition(":")[2].removesuffix("/v1"))
        ports = [taken, free_port()]
        monkeypatch.setattr(module, "free_port", lambda: ports.pop(0))
        try:
            await second.start()
            assert first.base_url != second.base_url
        finally:
            await second.stop()
            await first.stop()

    asyncio.run(whole())
    assert all_gone(tmp_path)


def test_a_death_is_seen_and_told(tmp_path):
    server = made(tmp_path)

    async def whole():
        await server.start()
        (pid, _), *_ = starts(tmp_path)
        os.kill(pid, 9)
        status = await asyncio.wait_for(server.ended(), 5)
        await server.stop()
        return status

    assert asyncio.run(whole()) == 128 + 9
    assert all_gone(tmp_path)


def test_a_server_that_does_not_obey_is_killed(tmp_path):
    begun(made(tmp_path, stubborn=True))
    assert all_gone(tmp_path)


def test_a_program_that_is_not_there(tmp_path):
    server = Server(lambda port: ["no-such-program"], {}, tmp_path / "log", checkpoint="org/served", start_s=5)
    with pytest.raises(ServerError, match="no-such-program could not be started"):
        begun(server)


def test_an_error_far_before_the_last_lines_is_named(tmp_path):
    server = made(tmp_path)
    server.log.parent.mkdir(parents=True, exist_ok=True)
    noise = "leaked type\n" * 2000
    server.log.write_text(f"(Worker) ERROR RuntimeError: no offset\n(Core) ERROR RuntimeError: no offset\n{noise}", encoding="utf-8")
    said = str(server.error("died (status 0)"))
    assert said.count("RuntimeError: no offset") == 1
    assert said.index("RuntimeError: no offset") < said.index("| leaked type")


def test_a_key_that_the_server_writes_is_in_no_message_and_no_log(tmp_path):
    tell = "import os, time; print('x' * 9, os.environ['VLLM_API_KEY'], 'ValueError: bad', os.environ['VLLM_API_KEY'], flush=True)"
    server = Server(lambda port: [sys.executable, "-c", tell], {}, tmp_path / "log", checkpoint="org/served", start_s=5)
    with pytest.raises(ServerError, match=r"\| xxxxxxxxx \[key\] ValueError: bad \[key\]") as caught:
        begun(server)
    assert server.key not in str(caught.value)
    assert server.log.read_text() == "xxxxxxxxx [key] ValueError: bad [key]\n" and [path.name for path in tmp_path.iterdir()] == ["log"]


def test_a_token_and_a_password_that_the_server_writes_are_in_no_message_and_no_log(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_AbCdEfGh12345678")
    tell = "import os; print('token', os.environ['HF_TOKEN'], 'of https://me:SECRET@mirror.example/m', flush=True)"
    server = Server(lambda port: [sys.executable, "-c", tell], {}, tmp_path / "log", checkpoint="org/served", start_s=5)
    with pytest.raises(ServerError, match=r"\| token \[key\] of https://mirror.example/m") as caught:
        begun(server)
    assert "SECRET" not in str(caught.value)
    assert server.log.read_text() == "token [key] of https://mirror.example/m\n"


def test_a_key_at_the_cut_of_the_last_words_is_struck(tmp_path):
    server = made(tmp_path)
    server.log.parent.mkdir(parents=True)
    server.log.write_text(server.key + "y" * (module.TAIL_BYTES - 20))
    assert server.key[-20:] not in str(server.error("died"))
