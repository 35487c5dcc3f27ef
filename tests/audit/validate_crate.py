"""Hold crates against Workflow Run Crate and every profile that it extends, with the community's validator and without a network.

Run by the interpreter of .cache/tests/crate: validate_crate.py WORK CRATE.ZIP...
Writes WORK/report.json: crate -> {"checked": profiles, "skipped": checks, "found": [[severity, "profile: check", entity, message]]}.
"""

import io
import json
import sys
from importlib.resources import files
from pathlib import Path

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from rocrate_validator.models import RequirementCheck, ValidationResult
from rocrate_validator.services import validate
from urllib3 import HTTPResponse

RO_CRATE = "https://w3id.org/ro/crate/1.1/context"
# The terms of the run profiles, as far as the project's crates use them: a term that is missing here is one that the validator refuses.
TERMS = "https://w3id.org/ro/terms/workflow-run/context"
USED_TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}


class Shelf(HTTPAdapter):
    """Answers the addresses of the two contexts from what is installed; any other is a KeyError."""

    def __init__(self) -> None:
        super().__init__()
        bundled = json.loads((files("rocrate") / "data" / "ro-crate.jsonld").read_bytes())
        assert bundled["@id"] == RO_CRATE, f"envs/crate.txt brings {bundled['@id']}: lock the rocrate that holds {RO_CRATE}"
        self.documents = {RO_CRATE: bundled, TERMS: {"@context": USED_TERMS}}

    def send(self, request: PreparedRequest, *_arguments: object, **_options: object) -> Response:
        body = io.BytesIO(json.dumps(self.documents[str(request.url)]).encode())
        kind = {"Content-Type": "application/ld+json"}
        return self.build_response(request, HTTPResponse(body, kind, 200, preload_content=False, request_url=request.url))


def fill(cache: str) -> None:
    """Put the contexts where the validator looks when it is offline."""
    shelf = Shelf()
    with CachedSession(cache, backend="sqlite", expire_after=-1) as session:
        session.mount("https://", shelf)
        for address in shelf.documents:
            session.get(address)


def hold(crate: Path, cache: str) -> ValidationResult:
    settings = {"profile_identifier": "workflow-run-crate", "requirement_severity": "RECOMMENDED", "offline": True, "cache_path": cache}
    return validate({**settings, "rocrate_uri": str(crate)})


def name(check: RequirementCheck) -> str:
    """The same in every version that has the check, unlike its number."""
    return f"{check.requirement.profile.identifier}: {check.name}"


def described(result: ValidationResult) -> dict[str, list[object]]:
    found = [(issue.severity.name, name(issue.check), issue.violatingEntity, issue.message) for issue in result.get_issues()]
    return {
        "checked": sorted({check.requirement.profile.identifier for check in result.executed_checks}),
        "skipped": sorted({name(check) for check in result.skipped_checks}),
        "found": sorted(found, key=str),
    }


if __name__ == "__main__":
    work = Path(sys.argv[1])
    fill(str(work / "contexts"))
    report = {crate: described(hold(Path(crate), str(work / "contexts"))) for crate in sys.argv[2:]}
    (work / "report.json").write_text(json.dumps(report), encoding="utf-8")
