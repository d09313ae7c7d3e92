-- The vector part of the screening in PostGIS, as an expert writes it. Tables come from ogr2ogr.
-- psql -v plane=<WKT of the plane in feet> -v part=prepare|query
\set ON_ERROR_STOP on
\set QUIET on

SELECT :'part' = 'prepare' AS preparing \gset
\if :preparing

INSERT INTO spatial_ref_sys (srid, srtext) VALUES (990001, :'plane');

CREATE UNLOGGED TABLE lots AS
    SELECT lot, ST_Transform(geom, 990001) AS geom FROM sites;
CREATE UNLOGGED TABLE works AS
    SELECT ST_Transform(geom, 990001) AS geom FROM disturbance;
-- Whole for the buffers, in pieces of few vertices for everything that searches.
CREATE UNLOGGED TABLE waters AS
    SELECT 'body' AS kind, ST_Transform(geom, 990001) AS geom FROM water_bodies
    UNION ALL SELECT 'course', ST_Transform(geom, 990001) FROM watercourses
    UNION ALL SELECT 'wetland', ST_Transform(geom, 990001) FROM wetlands;
CREATE UNLOGGED TABLE bodies AS
    SELECT ST_Subdivide(geom, 128) AS geom FROM waters WHERE kind = 'body';
CREATE UNLOGGED TABLE courses AS
    SELECT ST_Subdivide(geom, 128) AS geom FROM waters WHERE kind = 'course';
CREATE UNLOGGED TABLE marshes AS
    SELECT ST_Subdivide(geom, 128) AS geom FROM waters WHERE kind = 'wetland';
CREATE UNLOGGED TABLE supplies AS
    SELECT ST_Transform(geom, 990001) AS geom FROM water_supplies;
CREATE UNLOGGED TABLE leaching AS
    SELECT ST_Transform(geom, 990001) AS geom FROM leach_fields;
CREATE UNLOGGED TABLE watersheds AS
    SELECT name, ST_Subdivide(ST_Transform(geom, 990001), 128) AS geom FROM tmdl;
CREATE UNLOGGED TABLE listed AS
    SELECT name, ST_Subdivide(ST_Transform(geom, 990001), 128) AS geom FROM impaired;
CREATE UNLOGGED TABLE soil_units AS
    SELECT hsg, ST_Transform(geom, 990001) AS geom FROM soils;

CREATE INDEX ON lots USING gist (geom);
CREATE INDEX ON works USING gist (geom);
CREATE INDEX ON bodies USING gist (geom);
CREATE INDEX ON courses USING gist (geom);
CREATE INDEX ON marshes USING gist (geom);
CREATE INDEX ON supplies USING gist (geom);
CREATE INDEX ON leaching USING gist (geom);
CREATE INDEX ON watersheds USING gist (geom);
CREATE INDEX ON listed USING gist (geom);
CREATE INDEX ON soil_units USING gist (geom);
ANALYZE;

\else

CREATE UNLOGGED TABLE zone AS
    SELECT ST_Subdivide(part.geom, 128) AS geom
    FROM (SELECT ST_Union(ST_Buffer(geom, 500, 'quad_segs=32')) AS geom FROM waters) AS dissolved,
         ST_Dump(dissolved.geom) AS part;
CREATE INDEX ON zone USING gist (geom);
ANALYZE zone;

CREATE UNLOGGED TABLE disturbed AS
    SELECT l.lot, ST_Area(ST_Union(ST_Intersection(l.geom, w.geom))) AS disturb_sf
    FROM lots AS l JOIN works AS w ON ST_Intersects(l.geom, w.geom)
    GROUP BY l.lot;

CREATE UNLOGGED TABLE zoned AS
    SELECT l.lot, sum(CASE WHEN ST_CoveredBy(l.geom, z.geom) THEN ST_Area(l.geom)
                      ELSE ST_Area(ST_Intersection(l.geom, z.geom)) END) AS zone_sf
    FROM lots AS l JOIN zone AS z ON ST_Intersects(l.geom, z.geom)
    GROUP BY l.lot;

CREATE UNLOGGED TABLE distances AS
    SELECT l.lot, b.ft AS water_bodies_ft, c.ft AS watercourses_ft, m.ft AS wetland_ft,
           s.ft AS supply_ft, f.ft AS leach_ft
    FROM lots AS l
    LEFT JOIN LATERAL (SELECT ST_Distance(l.geom, w.geom) AS ft FROM bodies AS w
                       ORDER BY l.geom <-> w.geom LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (SELECT ST_Distance(l.geom, w.geom) AS ft FROM courses AS w
                       ORDER BY l.geom <-> w.geom LIMIT 1) AS c ON true
    LEFT JOIN LATERAL (SELECT ST_Distance(l.geom, w.geom) AS ft FROM marshes AS w
                       ORDER BY l.geom <-> w.geom LIMIT 1) AS m ON true
    LEFT JOIN LATERAL (SELECT ST_Distance(l.geom, w.geom) AS ft FROM supplies AS w
                       ORDER BY l.geom <-> w.geom LIMIT 1) AS s ON true
    LEFT JOIN LATERAL (SELECT ST_Distance(l.geom, w.geom) AS ft FROM leaching AS w
                       ORDER BY l.geom <-> w.geom LIMIT 1) AS f ON true;

CREATE UNLOGGED TABLE setbacks AS
    SELECT l.lot,
           EXISTS (SELECT FROM bodies AS w WHERE ST_DWithin(l.geom, w.geom, 35))
           OR EXISTS (SELECT FROM courses AS w WHERE ST_DWithin(l.geom, w.geom, 35))
           OR EXISTS (SELECT FROM supplies AS w WHERE ST_DWithin(l.geom, w.geom, 35)) AS in_35,
           EXISTS (SELECT FROM bodies AS w WHERE ST_DWithin(l.geom, w.geom, 50))
           OR EXISTS (SELECT FROM courses AS w WHERE ST_DWithin(l.geom, w.geom, 50))
           OR EXISTS (SELECT FROM supplies AS w WHERE ST_DWithin(l.geom, w.geom, 50)) AS in_50,
           EXISTS (SELECT FROM bodies AS w WHERE ST_DWithin(l.geom, w.geom, 100))
           OR EXISTS (SELECT FROM courses AS w WHERE ST_DWithin(l.geom, w.geom, 100))
           OR EXISTS (SELECT FROM supplies AS w WHERE ST_DWithin(l.geom, w.geom, 100)) AS in_100
    FROM lots AS l;

CREATE UNLOGGED TABLE sheds AS
    SELECT lot, sum(sf) AS tmdl_sf, string_agg(name, '; ' ORDER BY name) AS tmdl_name
    FROM (SELECT l.lot, w.name, sum(ST_Area(ST_Intersection(l.geom, w.geom))) AS sf
          FROM lots AS l JOIN watersheds AS w ON ST_Intersects(l.geom, w.geom)
          GROUP BY l.lot, w.name) AS parts
    GROUP BY lot;

CREATE UNLOGGED TABLE touched AS
    SELECT l.lot, string_agg(DISTINCT w.name, '; ' ORDER BY w.name) AS listed_name
    FROM lots AS l JOIN listed AS w ON ST_Intersects(l.geom, w.geom)
    GROUP BY l.lot;

CREATE UNLOGGED TABLE grounds AS
    SELECT l.lot, u.hsg, sum(ST_Area(ST_Intersection(l.geom, u.geom))) AS sf
    FROM lots AS l JOIN soil_units AS u ON ST_Intersects(l.geom, u.geom)
    GROUP BY l.lot, u.hsg;

CREATE UNLOGGED TABLE screened AS
    SELECT s.id, s.lot, ST_Area(l.geom) AS site_sf, coalesce(d.disturb_sf, 0) AS disturb_sf,
           coalesce(z.zone_sf, 0) AS zone_sf, n.water_bodies_ft, n.watercourses_ft, n.wetland_ft,
           n.supply_ft, n.leach_ft,
           b.in_35::int AS in_35_sf, b.in_50::int AS in_50_sf, b.in_100::int AS in_100_sf,
           coalesce(t.tmdl_sf, 0) AS tmdl_sf, t.tmdl_name, i.listed_name, g.hsg, s.geom
    FROM sites AS s JOIN lots AS l USING (lot)
    LEFT JOIN disturbed AS d USING (lot) LEFT JOIN zoned AS z USING (lot)
    JOIN distances AS n USING (lot) JOIN setbacks AS b USING (lot) LEFT JOIN sheds AS t USING (lot)
    LEFT JOIN touched AS i USING (lot)
    LEFT JOIN (SELECT DISTINCT ON (lot) lot, hsg FROM grounds ORDER BY lot, sf DESC) AS g USING (lot)
    ORDER BY s.id;

\endif
