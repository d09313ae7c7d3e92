<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.40.6-Bratislava" labelsEnabled="0" styleCategories="Symbology|Labeling|AttributeTable">
  <renderer-v2 referencescale="-1" attr="vs_1acre" symbollevels="0" type="categorizedSymbol" enableorderby="0" forceraster="0">
    <categories>
      <category value="above" uuid="{375907b9-d790-4bdd-8d42-2d279e5bac8e}" symbol="0" type="string" render="true" label="Above 1 acre"/>
      <category value="at" uuid="{b0ba9e06-d833-411a-9c60-595f1a18430a}" symbol="1" type="string" render="true" label="At 1 acre"/>
      <category value="below" uuid="{e5fbc02e-63b1-4e32-b9f5-89cda652d44b}" symbol="2" type="string" render="true" label="Below 1 acre"/>
      <category value="unknown" uuid="{76533ac1-3da5-4422-847c-ab0ab8c51459}" symbol="3" type="string" render="true" label="Unknown"/>
    </categories>
    <symbols>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="0">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{7307add1-fc69-4e74-9850-015b4887902c}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="168,50,50,255,rgb:0.6588235294117647,0.19607843137254902,0.19607843137254902,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="1">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{65b231ec-7e00-400c-995f-b4d04386aaf5}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="217,139,74,255,rgb:0.85098039215686272,0.54509803921568623,0.29019607843137257,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="2">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{15a14a37-8e96-4bbf-8c41-113ea4a72da1}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="169,211,165,255,rgb:0.66274509803921566,0.82745098039215681,0.6470588235294118,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
      <symbol alpha="0.75" clip_to_extent="1" force_rhr="0" type="fill" is_animated="0" frame_rate="10" name="3">
        <data_defined_properties>
          <Option type="Map">
            <Option value="" type="QString" name="name"/>
            <Option name="properties"/>
            <Option value="collection" type="QString" name="type"/>
          </Option>
        </data_defined_properties>
        <layer class="SimpleFill" enabled="1" id="{cff64309-362a-4b40-aaa8-5367a3edc4b8}" locked="0" pass="0">
          <Option type="Map">
            <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
            <Option value="201,204,209,255,rgb:0.78823529411764703,0.80000000000000004,0.81960784313725488,1" type="QString" name="color"/>
            <Option value="bevel" type="QString" name="joinstyle"/>
            <Option value="0,0" type="QString" name="offset"/>
            <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
            <Option value="MM" type="QString" name="offset_unit"/>
            <Option value="74,74,74,255,rgb:0.29019607843137257,0.29019607843137257,0.29019607843137257,1" type="QString" name="outline_color"/>
            <Option value="solid" type="QString" name="outline_style"/>
            <Option value="0.2" type="QString" name="outline_width"/>
            <Option value="MM" type="QString" name="outline_width_unit"/>
            <Option value="solid" type="QString" name="style"/>
          </Option>
          <data_defined_properties>
            <Option type="Map">
              <Option value="" type="QString" name="name"/>
              <Option name="properties"/>
              <Option value="collection" type="QString" name="type"/>
            </Option>
          </data_defined_properties>
        </layer>
      </symbol>
    </symbols>
    <rotation/>
    <sizescale/>
    <data-defined-properties>
      <Option type="Map">
        <Option value="" type="QString" name="name"/>
        <Option name="properties"/>
        <Option value="collection" type="QString" name="type"/>
      </Option>
    </data-defined-properties>
  </renderer-v2>
  <selection mode="Default">
    <selectionColor invalid="1"/>
  </selection>
  <blendMode>0</blendMode>
  <featureBlendMode>0</featureBlendMode>
  <attributetableconfig sortExpression="" sortOrder="0" actionWidgetStyle="dropDown">
    <columns>
      <column width="-1" hidden="0" type="field" name="vs_1acre"/>
      <column width="-1" hidden="1" type="field" name="ev_areas"/>
      <column width="-1" hidden="1" type="field" name="ev_slope"/>
      <column width="-1" hidden="1" type="field" name="ev_water"/>
      <column width="-1" hidden="1" type="field" name="ev_near"/>
      <column width="-1" hidden="1" type="field" name="ev_setbk"/>
      <column width="-1" hidden="1" type="field" name="ev_device"/>
      <column width="-1" hidden="1" type="field" name="ev_infil"/>
      <column width="-1" hidden="1" type="field" name="ev_listed"/>
      <column width="-1" hidden="1" type="field" name="ev_soils"/>
      <column width="-1" hidden="0" type="actions"/>
    </columns>
  </attributetableconfig>
  <conditionalstyles>
    <rowstyles/>
    <fieldstyles/>
  </conditionalstyles>
  <storedexpressions/>
  <layerGeometryType>2</layerGeometryType>
</qgis>
