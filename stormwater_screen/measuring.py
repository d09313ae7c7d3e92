"""Each measure, taken of some sites of one working plane with what it needs of the others.

`measuring_batches` hands over the sites batch by batch.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import geopandas as gpd
import numpy as np
import pandas as pd

from .columns import SLOPE_15_PERCENT, STEP_COLUMNS
from .coverage import find_covered
from .dem import Dem
from .details import COLUMNS as DETAIL_COLUMNS
from .details import stacked
from .disturbance import AreaInput, measure_disturbance
from .features import Features, Geometries
from .fields import Numbers, number_field
from .following import can_follow
from .gradient import Pairs
from .listing_rows import ListingFields, listing_rows
from .listings import measure_listings
from .model import Options, ScreeningInputs
from .notes import counted, of_sites
from .optional_kernels import load_compiler
from .ordinance import Ordinance, Setbacks
from .part import Part
from .progress import Progress, part_of
from .receiving_columns import receiving_columns, receiving_paths
from .receiving_passes import passed_supplies
from .sensitive import by_kind, measure_sensitive
from .setbacks import measure_setbacks
from .slope import CENTRES_OUTSIDE, DEVICES_OUTSIDE, device_slope_facts, slope_facts, unplaced
from .soils import SoilFields, measure_soils, soil_notes
from .tables import pollutant_table, sensitive_kinds
from .vicinity import SEARCHED_FT, Group
from .water import ROLES, WaterResult, measure_water
from .zones import SetbackText, ZoneResult, infiltration_zones, near_zone

if TYPE_CHECKING:
    from .drainage import Watch
    from .network import Trust
    from .receiving import Receiver, ReceivingResult

_FOLLOWED: Final = frozenset({"receiving", "listings"})
"""Measures that ask where runoff goes."""

HYDROGRAPHY: Final = ("WATERCOURSES", "WATER_BODIES")
"""Layers that receive runoff."""


@dataclass(frozen=True)
class Demands:
    """What a law asks of the measures.

    Attributes
    ----------
    infiltration
        Texts on how far infiltration must stand from water, by name.
    always_counted_water
        Names of water bodies that count whatever the gradient.
    near_water_ft
        Width of the zone along water, in feet; None: no zone.
    """

    infiltration: Mapping[str, Setbacks] = field(default_factory=dict)
    always_counted_water: tuple[str, ...] = ()
    near_water_ft: float | None = None

    @classmethod
    def of(cls, ordinance: Ordinance) -> Demands:
        """Return what a law asks."""
        zones = ordinance.zones
        return cls(zones.infiltration, ordinance.always_counted_water, zones.near_water_ft)


class Work:
    """The measures of one group of sites.

    Parameters
    ----------
    group
        Sites and layers in one plane.
    inputs
        What the run was given; its sites' fields are read for typed areas.
    demands
        Distances of the law, and the water that always counts.
    options
        Errors of the data.
    dem
        Ground elevation, or None.
    receiver
        Returns that on which runoff is followed, the same for all batches of a plane.
    measures
        Names of the measures that will be taken.
    """

    def __init__(
        self,
        group: Group,
        inputs: ScreeningInputs,
        demands: Demands,
        options: Options,
        dem: Dem | None,
        receiver: Callable[[], Receiver] | None = None,
        *,
        measures: Collection[str] = (),
    ) -> None:
        self.group, self.inputs, self.demands = group, inputs, demands
        self.options, self.dem = options, dem
        self._receiver, self._measures = receiver or self.new_receiver, measures
        self._lock = threading.Lock()
        self._water: WaterResult | None = None
        self._receiving: ReceivingResult | None = None

    @cached_property
    def coverage(self) -> gpd.GeoDataFrame | None:
        """Where the layers are complete, or None."""
        return self.group.frame("COVERAGE")

    def water_result(self, progress: Progress) -> WaterResult:
        """Return the distances to water, measured once."""
        if self._water is None:
            self._water = measure_water(
                self.group.sites,
                [layer for role in ROLES for layer in self.group.of(role)],
                coverage=self.coverage,
                water_error_ft=self.options.water_error_ft,
                supply_error_ft=self.options.supply_error_ft,
                searched_ft=SEARCHED_FT,
                workers=self.options.workers,
                progress=progress,
            )
        return self._water

    def areas(self, progress: Progress) -> Part:
        """Measure disturbed and impervious areas."""
        existing = self.group.of("EXISTING_IMPERVIOUS")
        covered = find_covered(
            np.asarray(self.group.sites.geometry.array, dtype=object),
            [layer.extent for layer in existing],
            self.coverage,
            what="existing impervious area",
            names=[layer.name for layer in existing],
        )
        given = (
            self._area_input("DISTURBANCE", "DISTURBED_FIELD"),
            self._area_input("IMPERVIOUS", "IMPERVIOUS_FIELD"),
            self._area_input("EXISTING_IMPERVIOUS", None),
        )
        found = measure_disturbance(
            self.group.sites,
            *given,
            existing_covers=covered.complete,
            others=None if self.group.rest is None else self.group.rest.others,
            progress=progress,
        )
        typed = [one.typed.notes for one in given if one.typed is not None]
        notes = [of_sites(note) for some in typed for note in some]
        return Part(
            found.facts, found.columns, found.details, tuple(notes), whole_site=found.whole_site
        )

    def slope(self, progress: Progress) -> Part:
        """Measure the largest slope over 100 ft."""
        if not self.unfollowed and not _FOLLOWED.isdisjoint(self._measures):
            load_compiler()
        found = slope_facts(
            self.group.sites,
            self.dem,
            self.group.frame("BUILDING_CENTRES"),
            limit_percent=SLOPE_15_PERCENT,
            error_ft=self.options.dem_error_ft,
            workers=self.options.workers,
            progress=progress,
        )
        return Part(found.facts, found.columns, found.details, found.notes, lines=(found.lines,))

    def water(self, progress: Progress) -> Part:
        """Measure the distance to lakes, ponds, rivers, streams and wetlands, and their zone."""
        found = self.water_result(part_of(progress, 0.0, 0.5))
        facts = {name: found.facts[name] for name in ("water", "water_or_wetland", "wetland")}
        zones = []
        width_ft = self.demands.near_water_ft
        if self.options.want_zones and width_ft is not None:
            zone = near_zone(
                self.group.sites,
                found,
                width_ft,
                name=f"zone_{width_ft:.0f}ft",
                workers=self.options.workers,
                progress=part_of(progress, 0.5, 1.0),
            )
            zones.append(zone)
        return Part(facts, _owned(found.columns, "water"), zones=tuple(zones))

    def setbacks(self, progress: Progress) -> Part:
        """Measure setbacks of sites and devices, and where infiltration may stand."""
        group, options = self.group, self.options
        water = self.water_result(part_of(progress, 0.0, 0.2))
        slopes = device_slope_facts(
            group.sites,
            self.dem,
            group.frame("DEVICES"),
            error_ft=options.dem_error_ft,
            workers=options.workers,
            progress=part_of(progress, 0.2, 0.3),
        )
        found = measure_setbacks(
            group.sites,
            water,
            devices=group.frame("DEVICES"),
            ground=self.dem,
            reach_ft=_reach_ft(self.demands),
            dem_error_ft=options.dem_error_ft,
            always_counted=self.demands.always_counted_water,
            follow=None if self.unfollowed else partial(self._drained, water.features),
            workers=options.workers,
            progress=part_of(progress, 0.3, 0.8),
        )
        zones = infiltration_zones(
            group.sites,
            water,
            found.sides,
            {name: setback_text(setback) for name, setback in self.demands.infiltration.items()},
            shapes=options.want_zones,
            workers=options.workers,
            progress=part_of(progress, 0.8, 1.0),
        )
        supplies = {name: water.facts[name] for name in ("supply", "leach")}
        details = (slopes.details, found.details, _infiltration_bounds(zones))
        return Part(
            {**supplies, **slopes.facts, **found.facts},
            _owned(water.columns, "setbacks"),
            stacked([part.reindex(columns=list(DETAIL_COLUMNS)) for part in details]),
            (*slopes.notes, *_infiltration_notes(zones)),
            zones=(zones.zones,),
            lines=(slopes.lines,),
            infiltration_sqft=zones.area_sqft,
        )

    @cached_property
    def unfollowed(self) -> str:
        """Why runoff is not followed; empty where it is."""
        if not self.options.follow_runoff:
            return "Runoff was not followed: FOLLOW_RUNOFF is off."
        courses = self.group.of("WATERCOURSES")
        if self.dem is None or not any(layer.extent is not None for layer in courses):
            return "Runoff was not followed: that needs a DEM and watercourses near the sites."
        return can_follow()

    def new_receiver(self) -> Receiver:
        """Return the ground and the mapped water on which runoff is followed, made once."""
        with self._lock:
            return self._made_receiver

    @cached_property
    def _made_receiver(self) -> Receiver:
        # Imported here, since it needs scipy, which nothing else does.
        from .receiving import Receiver, ReceivingOptions

        assert self.dem is not None
        options = self.options
        return Receiver(
            self.dem,
            self.group.crs,
            [layer for name in HYDROGRAPHY for layer in self.group.of(name)],
            self.group.of("IMPAIRED"),
            impaired_fields=self._listing_fields("IMPAIRED"),
            culverts=self.group.frame("CULVERTS"),
            sewers=self.group.frame("STORM_SEWERS"),
            coverage=self.coverage,
            options=ReceivingOptions(
                min_share=options.min_share_percent / 100,
                pit_ft=options.pit_ft,
                follow_ft=options.follow_ft,
                match_ft=options.water_error_ft,
            ),
            trusted=None if self.group.rest is None else self.group.rest.trusted,
        )

    def receiving_result(
        self, progress: Progress, watches: Sequence[Watch] = ()
    ) -> ReceivingResult | None:
        """Return where runoff goes, followed once; None where it is not followed."""
        if self._receiving is None and self.dem is not None and not self.unfollowed:
            self._receiving = self._receiver().measure(
                self.group.sites, self.group.frame("DISTURBANCE"), progress, watches
            )
        return self._receiving

    def trust(self) -> Trust | None:
        """Return how far the directions of lines can be trusted; None: nothing is followed."""
        if self.dem is None or self.unfollowed:
            return None
        from .network import layer_trust

        impaired = [(layer.name, layer.frame) for layer in self.group.of("IMPAIRED")]
        listings = listing_rows(
            impaired,
            role="IMPAIRED",
            fields=self._listing_fields("IMPAIRED"),
            pollutants=pollutant_table(),
        )
        layers = [layer for name in HYDROGRAPHY for layer in self.group.of(name)]
        return layer_trust(layers, listings, self.dem, self.group.crs)

    def _drained(
        self,
        features: Features,
        places: Sequence[tuple[Geometries, Pairs]],
        progress: Progress,
    ) -> list[pd.DataFrame]:
        """Return which features the runoff of places passes, and which drain onto them."""
        from .drainage import Watch

        watches = [
            Watch(
                geometry,
                pairs,
                features,
                within_ft=_reach_ft(self.demands),
                dem_error_ft=self.options.dem_error_ft,
            )
            for geometry, pairs in places
        ]
        # Runoff is followed once for all that asks for it.
        if self._receiving is None and not _FOLLOWED.isdisjoint(self._measures):
            self.receiving_result(progress, watches)
        else:
            self._receiver().look(watches, progress)
        return [watch.result() for watch in watches]

    def receiving(self, progress: Progress) -> Part:
        """Follow runoff to the waters that receive it."""
        found = self.receiving_result(progress)
        columns = receiving_columns(
            found, len(self.group.sites), sewers=bool(self.group.of("STORM_SEWERS"))
        )
        if found is None:
            # Where no listing is asked for, nothing depends on it.
            listed = bool(self.group.of("IMPAIRED"))
            return Part({}, columns, notes=(self.unfollowed,) if listed else ())
        paths, outlets = receiving_paths(found)
        passed = passed_supplies(found.outlets, self.group.of("WATER_SUPPLIES"))
        return Part(
            {},
            columns,
            stacked([found.details, passed]),
            found.notes,
            paths=(paths,),
            outlets=(outlets,),
        )

    def listings(self, progress: Progress) -> Part:
        """Find listed waters and TMDL watersheds."""
        receiving = self.receiving_result(part_of(progress, 0.0, 0.7))
        found = measure_listings(
            self.group.sites,
            self.group.of("IMPAIRED"),
            self.group.of("TMDL"),
            impaired_fields=self._listing_fields("IMPAIRED"),
            tmdl_fields=self._listing_fields("TMDL"),
            coverage=self.coverage,
            water_error_ft=self.options.water_error_ft,
            receiving=receiving,
            progress=part_of(progress, 0.7, 1.0),
        )
        return Part(found.facts, found.columns, found.details)

    def soils(self, progress: Progress) -> Part:
        """Find soil groups and indicators."""
        found = measure_soils(
            self.group.sites,
            self.group.frame("SOILS"),
            self._soil_fields(),
            layer=self._names("SOILS"),
            progress=progress,
        )
        return Part(found.facts, found.columns, found.details)

    def sensitive(self, progress: Progress) -> Part:
        """Measure the distance to stream corridors and sensitive areas."""
        found = measure_sensitive(
            self.group.sites,
            self.group.of("SENSITIVE"),
            self.group.of("STREAM_CORRIDORS"),
            self.group.of("WATERCOURSES"),
            coverage=self.coverage,
            water_error_ft=self.options.water_error_ft,
            searched_ft=SEARCHED_FT,
            progress=progress,
        )
        none = pd.DataFrame(index=pd.RangeIndex(len(self.group.sites)))
        return Part(found.facts, none, found.details)

    def layer_notes(self, names: Collection[str]) -> tuple[str, ...]:
        """Return what is said of whole layers, as batches that see a part of them cannot.

        Parameters
        ----------
        names
            Names of the measures that are taken.
        """
        notes: list[str] = []
        placed = {"slope": ("BUILDING_CENTRES", CENTRES_OUTSIDE)}
        placed |= {"setbacks": ("DEVICES", DEVICES_OUTSIDE)}
        for name, (layer, text) in placed.items():
            if name in names and self.dem is not None:
                outside = unplaced(self.group.sites, self.group.frame(layer))
                notes += [counted(text, outside, scope="run")] if outside else []
        soils = self.group.frame("SOILS")
        if "soils" in names and soils is not None:
            notes += soil_notes(soils, self._soil_fields(), self._names("SOILS"))
        if "sensitive" in names:
            notes += by_kind(self.group.of("SENSITIVE"), sensitive_kinds())[1]
        return tuple(notes)

    def _names(self, parameter: str) -> str:
        return ", ".join(layer.name for layer in self.group.of(parameter))

    def _area_input(self, parameter: str, field_parameter: str | None) -> AreaInput:
        return AreaInput(
            polygons=self.group.frame(parameter),
            layer=self._names(parameter),
            typed=self._typed(self.inputs.fields.get(field_parameter or "")),
        )

    def _typed(self, name: str | None) -> Numbers | None:
        if name is None:
            return None
        return number_field(self.group.sites, name, layer=self.inputs.sites.name)

    def _listing_fields(self, prefix: str) -> ListingFields:
        def named(name: str) -> str | None:
            return self.inputs.fields.get(f"{prefix}_{name}_FIELD")

        values = self.options.impaired_status_values if prefix == "IMPAIRED" else ()
        return ListingFields(
            name=named("NAME"),
            pollutant=named("POLLUTANT"),
            status=named("STATUS"),
            status_values=values,
            source=named("SOURCE"),
        )

    def _soil_fields(self) -> SoilFields:
        def named(name: str) -> str | None:
            return self.inputs.fields.get(f"SOIL_{name}_FIELD")

        return SoilFields(
            group=named("GROUP"),
            ksat=named("KSAT"),
            water_table=named("WATER_TABLE"),
            bedrock=named("BEDROCK"),
            perc=named("PERC"),
            transport=named("TRANSPORT"),
        )


MEASURES: Final[Mapping[str, tuple[Callable[[Work, Progress], Part], float]]] = {
    "areas": (Work.areas, 0.1),
    "slope": (Work.slope, 0.4),
    "water": (Work.water, 0.15),
    "setbacks": (Work.setbacks, 0.25),
    "receiving": (Work.receiving, 0.2),
    "listings": (Work.listings, 0.04),
    "soils": (Work.soils, 0.04),
    "sensitive": (Work.sensitive, 0.02),
}
"""Every measure by name, with its share of the work."""


def _owned(columns: pd.DataFrame, measure_name: str) -> pd.DataFrame:
    return columns[[name for name in STEP_COLUMNS[measure_name] if name in columns]]


def setback_text(setbacks: Setbacks) -> SetbackText:
    """Return one text of the law as the zones take it."""
    upgradient_only = setbacks.leach_ft == 0
    return SetbackText(
        down_ft=setbacks.down_ft,
        up_supply_ft=setbacks.up_supply_ft,
        leach_ft=setbacks.leach_upgradient_ft if upgradient_only else setbacks.leach_ft,
        leach_upgradient_only=upgradient_only,
    )


def _infiltration_notes(zones: ZoneResult) -> tuple[str, ...]:
    """Return a sentence for each reason why areas for infiltration are only bounds."""
    if not len(zones.area_sqft.columns):
        return ()
    reasons = sorted(set(zones.upper_bound[zones.upper_bound.astype(bool)]))
    return tuple(f"area where infiltration may stand (infil_sf): {reason}" for reason in reasons)


def _infiltration_bounds(zones: ZoneResult) -> pd.DataFrame:
    """Return a detail for each site whose area for infiltration is only a bound."""
    rows = np.flatnonzero(zones.upper_bound.astype(bool) & zones.area_sqft.notna().any(axis=1))
    most = zones.area_sqft.iloc[rows].max(axis=1)
    table = pd.DataFrame(index=range(len(rows)), columns=list(DETAIL_COLUMNS))
    return table.assign(
        row=rows,
        id="infiltration_area",
        outcome="unknown",
        value=most.to_numpy(np.float64),
        unit="sq ft",
        text="area where infiltration may stand: " + zones.upper_bound[rows],
        source="",
    )


def _reach_ft(demands: Demands) -> float:
    """Return the largest distance that a setback of the law or a column asks for, in feet."""
    distances = [100.0]
    for setbacks in demands.infiltration.values():
        distances += [setbacks.down_ft, setbacks.up_supply_ft]
        distances += [setbacks.leach_ft, setbacks.leach_upgradient_ft]
    return max(distances)
