"""slurm/site.yaml: what one cluster calls things and where it keeps them. Read by the SLURM profile and by rules/common.smk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from inforce.config.load import Strict, read_config

# set by SLURM, or by whoever shares out the GPUs of a workstation
GIVEN_GPUS = ("SLURM_JOB_GPUS", "SLURM_STEP_GPUS", "SLURM_GPUS_ON_NODE", "CUDA_VISIBLE_DEVICES")
PATH = Path("slurm/site.yaml")
EXAMPLE = Path("slurm/site.example.yaml")


class Partitions(Strict):
    """Names of partitions; `sinfo --summarize` lists a cluster's."""

    cpu: str = Field("cpu", min_length=1, description="for every job that serves no model")
    gpu: str = Field("gpu", min_length=1, description="for jobs that serve a model")


class Site(Strict):
    """One cluster. Every key may be left out; nothing here changes a result."""

    partitions: Partitions = Partitions()
    account: str | None = Field(None, description="account that jobs are charged to; null where the cluster has no accounting")
    gpu_type: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9_]+$",
        description="type of GPU as the cluster names it, e.g. a100; null = any (the plugin takes no hyphens)",
    )
    gpu_runtime: int = Field(
        1440, ge=1, description="minutes of a job that serves a model; a job that needs more is resumed by the next one"
    )
    memory_mb_per_gpu: int = Field(64000, ge=1000, description="main memory for each GPU of a job")
    cpus_per_gpu: int = Field(8, ge=1, description="cores for each GPU of a job")
    scratch: str | None = Field(None, description="folder for temporary files on the node (TMPDIR); null = the system's")
    models: str | None = Field(None, description="folder of downloaded models, ORG/NAME below it; null = the Hugging Face cache alone")
    hf_home: str | None = Field(None, description="the Hugging Face cache (HF_HOME); null = the variable of who starts the run")
    binds: list[str] = Field(default=[], description="further folders that images must see, such as the outside data")

    @property
    def folders(self) -> list[str]:
        """Folders outside the repository that an image must see."""
        return [folder for folder in (self.scratch, self.models, self.hf_home, *self.binds) if folder]

    def environment(self, given: Mapping[str, str], home: Path) -> dict[str, str]:
        """Variables for jobs and their images, from those that a process was given. home: of who runs it.

        --apptainer-args would show GPUs to CPU jobs as well: APPTAINER_NV is set only where the scheduler gave some. Inside an image HOME
        is the working directory, so the Hugging Face cache is named, and seen if it is there.
        """
        cache = self.hf_home or given.get("HF_HOME") or str(home / ".cache" / "huggingface")
        seen = [*self.folders, given.get("INFORCE_DATA", ""), cache, *given.get("APPTAINER_BIND", "").split(",")]
        found = [folder for folder in seen if folder and Path(folder.split(":")[0]).exists()]
        made = {"APPTAINER_BIND": ",".join(dict.fromkeys(found)), "HF_HOME": cache}
        if self.models:
            made["INFORCE_MODELS"] = self.models
        if any(given.get(name) for name in GIVEN_GPUS):
            made["APPTAINER_NV"] = given.get("APPTAINER_NV", "1")
        return made

    def gres(self, gpus: int) -> str:
        """SLURM's --gres for so many GPUs: gpu:a100:2."""
        return ":".join(["gpu", *([self.gpu_type] if self.gpu_type else []), str(gpus)])


def read_site(path: Path = PATH) -> Site:
    """The site's settings, or the defaults where there is no such file. Raises ConfigError that lists everything wrong in it."""
    return read_config(path, Site) if path.is_file() else Site()
